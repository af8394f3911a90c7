"""The shapes of secrets that are known by their form alone (`trust.md` 2.8).

Only shapes of high precision stand here: a prefix that an issuer made for being found, or a name
that says what its value is. Every pattern is matched in time linear in the text: no quantifier
stands inside another, and a run that may fail starts only where no run is under way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_AFTER_ESCAPE = r"(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=[0-9\[]m)"
"""Ends of what may stand before a secret though it ends in a letter or digit: an escaped newline or
tab, a percent escape, a colour sequence."""
_EDGE = rf"(?:(?<![A-Za-z0-9])|{_AFTER_ESCAPE})"
_RUN_EDGE = rf"(?:(?<![A-Za-z0-9_-])|{_AFTER_ESCAPE})"
"""For runs that may hold `-` and `_` and may still fail at their end."""
_END = r"(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a secret."""

    kind: str
    """What is said in its place."""
    needles: tuple[str, ...]
    """One of them stands in every text that holds the shape; in lower case when `fold` is set."""
    pattern: re.Pattern[str]
    """The group `secret` is the secret where there is one, else the whole match."""
    fold: bool = False
    """Whether the needles are looked for whatever their case."""
    random_only: bool = False
    """Whether only a value that looks random counts."""


def _token(kind: str, needles: str, body: str, edge: str = _EDGE) -> Shape:
    """Return the shape of a token that starts at an edge."""
    return Shape(kind, tuple(needles.split()), re.compile(edge + body))


_NAME = (
    r"(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key"
    r"|private[_-]?key|account[_-]?key|encryption[_-]?key|signing[_-]?key|credential)"
)
_NAME_TAIL = r"(?:s|[_-][A-Za-z0-9_-]{0,24}|[A-Z0-9][A-Za-z0-9_]{0,24})?"
_SEPARATOR = r"\\?[\"'`]?\s{0,4}(?:=>|:=|==?|:)\s{0,4}(?:[bfr]?\\?[\"'`])?"
_VALUE = r"(?P<secret>[A-Za-z0-9+/=_.~!@#%^&*-]{12,400})(?![A-Za-z0-9(])"
_NAMED = ("passw", "passphrase", "pwd", "secret", "token", "key", "credential")

ASSIGNED = Shape(
    "secret-value", _NAMED, re.compile(_NAME + _NAME_TAIL + _SEPARATOR + _VALUE), True, True
)
"""A value that looks random, given to a name that says it is secret."""

SECRET_NAME = re.compile(rf"(?:^|[^a-z]|(?<=[a-z])(?=[A-Z])){_NAME}{_NAME_TAIL}$")
"""A name of a field whose value is secret; searched for in the whole name."""

SHAPES: tuple[Shape, ...] = (
    _token("aws-access-key", "AKIA ASIA ABIA ACCA", rf"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{{16}}{_END}"),
    Shape(
        "aws-secret-key",
        ("secret",),
        re.compile(
            rf"(?i:secret_?access_?key){_SEPARATOR}(?P<secret>[A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])"
        ),
        fold=True,
    ),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[opsur]_[A-Za-z0-9]{36,}"),
    _token("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{40,}"),
    _token("gitlab-token", "glpat- gldt- glptt- glrt- glcbt- glsoat- gloas- glft- glimt- glagent-",
           r"gl(?:pat|dt|ptt|rt|cbt|soat|oas|ft|imt|agent)-[A-Za-z0-9_.-]{20,}"),
    _token("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xoxe.",
           r"xox[abcdeoprs][-.][A-Za-z0-9%./+-]{10,}"),
    _token("slack-token", "xapp-", r"xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    _token("slack-webhook", "hooks.slack.com",
           r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,}", ""),
    _token("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_",
           r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _token("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,}"),
    _token("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}", _RUN_EDGE),
    _token("google-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,}"),
    _token("google-oauth-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _token("google-refresh-token", "1//0", r"1//0[A-Za-z0-9_-]{40,}"),
    _token("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_-]{24,}"),
    _token("openrouter-key", "sk-or-", r"sk-or-v1-[0-9a-f]{64}"),
    _token("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-",
           r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),
    _token("openai-key", "sk-", r"sk-[A-Za-z0-9]{32,}"),
    _token("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?",
           _RUN_EDGE),
    _token("npm-token", "npm_", r"npm_[A-Za-z0-9]{36,}"),
    _token("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    _token("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{34,}"),
    _token("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{48,}"),
    _token("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37,}"),
    _token("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    _token("xai-key", "xai-", r"xai-[A-Za-z0-9]{70,}"),
    _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _token("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    _token("twilio-key", "SK", rf"SK[0-9a-f]{{32}}{_END}"),
    _token("mailgun-key", "key-", rf"key-[0-9a-f]{{32}}{_END}", _RUN_EDGE),
    _token("mailchimp-key", "-us", rf"[0-9a-f]{{32}}-us[0-9]{{1,2}}{_END}"),
    _token("telegram-token", ":AA", rf"[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{33}}{_END}"),
    _token("discord-token", ".",
           r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}", _RUN_EDGE),
    _token("discord-webhook", "/api/webhooks/",
           r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,}", ""),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _token("square-token", "sq0atp- sq0csp- sq0idp-", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}"),
    _token("databricks-token", "dapi", r"dapi[0-9a-f]{32}"),
    _token("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,}"),
    _token("notion-token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    _token("notion-token", "secret_", rf"secret_[A-Za-z0-9]{{43}}{_END}"),
    _token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _token("atlassian-token", "ATATT3 ATCTT3", r"AT[AC]TT3[A-Za-z0-9_=-]{60,}"),
    _token("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[A-Za-z0-9_-]{27,}"),
    _token("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}"),
    _token("vault-token", "hvs. hvb. hvr.", r"hv[bsr]\.[A-Za-z0-9_-]{24,}"),
    _token("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    _token("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}"),
    _token("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    _token("newrelic-key", "NRAK- NRII- NRJS-", r"NR(?:AK|II|JS)-[A-Za-z0-9]{19,}"),
    _token("sentry-token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_-]{60,}"),
    _token("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _token("crates-token", "cio", rf"cio[A-Za-z0-9]{{32}}{_END}"),
    _token("nuget-key", "oy2", rf"oy2[a-z0-9]{{43}}{_END}"),
    _token("azure-storage-key", "AccountKey", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{80,}={0,2})"),
    _token("azure-client-secret", "Q~", r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}", ""),
    _token("azure-signature", "sig=", r"(?<=[?&;])sig=(?P<secret>[A-Za-z0-9%+/=]{40,})", ""),
    _token("supabase-key", "sbp_ sb_secret_", r"sb(?:p|_secret)_[A-Za-z0-9_]{30,}"),
    _token("fly-token", "fm2_ fo1_", r"f(?:m2|o1)_[A-Za-z0-9+/=_-]{40,}"),
    _token("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}"),
    _token("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{38,}"),
    _token("dropbox-token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{120,}", _RUN_EDGE),
    _token("heroku-key", "HRKU-", r"HRKU-[A-Za-z0-9_-]{36,}"),
    _token("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{36,}"),
    _token("cloudflare-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    _token("1password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{60,}"),
    _token("tailscale-key", "tskey-", r"tskey-[a-z]+-[A-Za-z0-9-]{20,}"),
    _token("artifactory-key", "AKCp", r"AKCp[A-Za-z0-9]{60,}"),
    _token("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    Shape(
        "url-password",
        ("://",),
        re.compile(
            r"://[^\s/:@\"'<>\\]{0,100}:"
            r"(?![$<{*]|(?i:(?:password|passwd|pass|pwd|pw|secret|token|x+)@))"
            r"(?P<secret>[^\s/@\"'<>\\]{3,200})@(?=[A-Za-z0-9\[])"
        ),
    ),
    Shape(
        "authorization",
        ("authorization",),
        re.compile(
            rf"(?i:authorization){_SEPARATOR}(?i:bearer|basic|token|apikey)\s{{1,4}}"
            r"(?P<secret>[A-Za-z0-9+/=_.~-]{12,})"
        ),
        fold=True,
        random_only=True,
    ),
    Shape(
        "authorization",
        ("bearer",),
        re.compile(r"(?<![A-Za-z0-9])(?i:bearer)\s{1,4}(?P<secret>[A-Za-z0-9+/=_.~-]{20,})"),
        fold=True,
        random_only=True,
    ),
    Shape(
        "secret-option",
        ("--",),
        re.compile(
            r"--(?:[a-z]{1,20}-)?(?:password|passwd|token|secret|api-key)[ =][\"']?"
            r"(?P<secret>[A-Za-z0-9+/=_.~!@#%^&*-]{12,400})"
        ),
        random_only=True,
    ),
    ASSIGNED,
)  # fmt: skip
"""In the order in which they are looked for: an issuer's own form before a name's."""
