"""One made-up secret of every known shape, put together when it is asked for.

None of them stands in a file as a whole, so that nobody's scanner takes them for real ones.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from random import Random

BASE62 = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits


@dataclass(frozen=True, slots=True)
class Sample:
    """A secret as it stands in a text."""

    kind: str
    text: str
    """The secret with what tells it apart, such as the name before it."""
    core: str
    """The part that must never be seen."""


def samples(seed: int = 7) -> list[Sample]:
    """Return secrets of every shape, the same ones for the same seed."""
    make = _Maker(Random(seed))
    return make.plain() + make.framed() + make.keys()


class _Maker:
    def __init__(self, random: Random) -> None:
        self._random = random

    def _some(self, length: int, alphabet: str = BASE62) -> str:
        chars = self._random.choices(alphabet, k=length)
        if alphabet == BASE62:  # as random as can be told: all three kinds, again and again
            chars[1:8] = "k7Qw3Zp"
        return "".join(chars)

    def plain(self) -> list[Sample]:
        """Secrets that their own form tells."""
        s = self._some
        found = {
            "aws-access-key": ["AKIA" + s(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")],
            "github-token": [f"gh{c}_" + s(36) for c in "pousr"]
            + ["github_pat_" + s(22) + "_" + s(59)],
            "gitlab-token": ["glpat-" + s(20), "gldt-" + s(20), "glrt-" + s(20)],
            "slack-token": [
                f"xoxb-{s(12, string.digits)}-{s(12, string.digits)}-{s(24)}",
                f"xapp-1-A{s(10, UPPER)}-{s(13, string.digits)}-{s(64, HEX)}",
            ],
            "slack-webhook": [
                f"https://hooks.slack.com/services/T{s(9, UPPER)}/B{s(9, UPPER)}/{s(24)}"
            ],
            "stripe-key": ["sk_live_" + s(24), "rk_test_" + s(24)],
            "stripe-webhook-secret": ["whsec_" + s(32)],
            "google-api-key": ["AIza" + s(35)],
            "google-oauth-token": ["ya29." + s(60)],
            "google-oauth-secret": ["GOCSPX-" + s(28)],
            "google-refresh-token": ["1//0" + s(60)],
            "anthropic-key": ["sk-ant-api03-" + s(93) + "AA"],
            "openrouter-key": ["sk-or-v1-" + s(64, HEX)],
            "openai-key": ["sk-proj-" + s(64), "sk-" + s(20) + "T3BlbkFJ" + s(20)],
            "jwt": ["eyJ" + s(33) + ".eyJ" + s(60) + "." + s(43)],
            "npm-token": ["npm_" + s(36)],
            "pypi-token": ["pypi-AgEIcHlwaS5vcmc" + s(100)],
            "huggingface-token": ["hf_" + s(34)],
            "groq-key": ["gsk_" + s(52)],
            "replicate-token": ["r8_" + s(37)],
            "perplexity-key": ["pplx-" + s(48)],
            "xai-key": ["xai-" + s(80)],
            "digitalocean-token": ["dop_v1_" + s(64, HEX)],
            "sendgrid-key": ["SG." + s(22) + "." + s(43)],
            "twilio-key": ["SK" + s(32, HEX)],
            "mailgun-key": ["key-" + s(32, HEX)],
            "mailchimp-key": [s(32, HEX) + "-us12"],
            "telegram-token": [s(9, "123456789") + ":AA" + s(33)],
            "discord-token": ["M" + s(23) + "." + s(6, BASE62 + "_") + "." + s(38)],
            "discord-webhook": [f"https://discord.com/api/webhooks/{s(18, '123456789')}/{s(68)}"],
            "shopify-token": ["shpat_" + s(32, HEX)],
            "square-token": ["sq0atp-" + s(22)],
            "databricks-token": ["dapi" + s(32, HEX)],
            "linear-key": ["lin_api_" + s(40)],
            "notion-token": ["ntn_" + s(46), "secret_" + s(43)],
            "airtable-token": ["pat" + s(14) + "." + s(64, HEX)],
            "atlassian-token": ["ATATT3" + s(180)],
            "docker-token": ["dckr_pat_" + s(27)],
            "terraform-token": [s(14) + ".atlasv1." + s(67)],
            "vault-token": ["hvs." + s(90)],
            "pulumi-token": ["pul-" + s(40, HEX)],
            "doppler-token": ["dp.pt." + s(43)],
            "grafana-token": ["glsa_" + s(32) + "_" + s(8, HEX)],
            "newrelic-key": ["NRAK-" + s(27, UPPER)],
            "sentry-token": ["sntryu_" + s(64, HEX)],
            "postman-key": ["PMAK-" + s(24, HEX) + "-" + s(34, HEX)],
            "rubygems-key": ["rubygems_" + s(48, HEX)],
            "crates-token": ["cio" + s(32)],
            "nuget-key": ["oy2" + s(43, LOWER)],
            "azure-client-secret": [s(3, LOWER) + "8Q~" + s(34)],
            "supabase-key": ["sbp_" + s(40, HEX)],
            "fly-token": ["fm2_" + s(80)],
            "planetscale-token": ["pscale_tkn_" + s(43)],
            "figma-token": ["figd_" + s(40)],
            "dropbox-token": ["sl." + s(135)],
            "heroku-key": ["HRKU-" + s(60)],
            "netlify-token": ["nfp_" + s(36)],
            "cloudflare-key": ["v1.0-" + s(24, HEX) + "-" + s(146, HEX)],
            "1password-token": ["ops_eyJ" + s(120)],
            "tailscale-key": ["tskey-auth-" + s(11) + "-" + s(32)],
            "artifactory-key": ["AKCp" + s(69)],
            "age-key": ["AGE-SECRET-KEY-1" + s(58, UPPER)],
        }
        return [
            Sample(kind, text, text.split("//")[-1].split("/", 1)[-1] if "://" in text else text)
            for kind, texts in found.items()
            for text in texts
        ]

    def framed(self) -> list[Sample]:
        """Secrets that what stands before them tells."""
        frames = [
            ("aws-secret-key", "aws_secret_access_key = ", 40, ""),
            ("azure-storage-key", "DefaultEndpointsProtocol=https;AccountKey=", 86, "=="),
            ("azure-signature", "https://x.blob.example/a?sv=1&sig=", 43, "%3D"),
            ("url-password", "postgres://app:", 18, "@db.example/app"),
            ("url-password", "redis://:", 18, "@cache.example:6379"),
            ("authorization", "Authorization: Bearer ", 40, ""),
            ("authorization", "authorization: Basic ", 40, ""),
            ("authorization", "sent with bearer ", 40, ""),
            ("secret-option", "deploy --token ", 32, ""),
            ("secret-option", "login --registry-password=", 20, ""),
            ("secret-value", "DB_PASSWORD=", 20, ""),
            ("secret-value", "export API_KEY=", 32, ""),
            ("secret-value", "client_secret: ", 32, ""),
            ("secret-value", 'const token = "', 32, '"'),
            ("secret-value", '{"refreshToken":"', 32, '"}'),
            ("secret-value", "X-Api-Key: ", 32, ""),
        ]
        found: list[Sample] = []
        for kind, before, length, after in frames:
            core = self._some(length)
            found.append(Sample(kind, before + core + after, core))
        return found

    def keys(self) -> list[Sample]:
        """Private keys in their armour: whole, escaped, in a listing, and cut short."""
        found: list[Sample] = []
        for name in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "PGP "):
            block = " BLOCK" if name == "PGP " else ""
            rows = [self._some(64) for _ in range(5)]
            begin, end = (f"-----{w} {name}PRIVATE KEY{block}-----" for w in ("BEGIN", "END"))
            found.append(Sample("private-key", "\n".join([begin, *rows, end]), rows[3]))
        for joint in ("\\n", "\n  12\t", "\\n  12\\t", "\n+"):
            rows = [self._some(64) for _ in range(5)]
            begin, end = (f"-----{word} PRIVATE KEY-----" for word in ("BEGIN", "END"))
            found.append(Sample("private-key", joint.join([begin, *rows, end]), rows[3]))
            found.append(Sample("private-key", joint.join([begin, *rows]), rows[4]))
        return found
