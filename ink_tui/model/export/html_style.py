"""The look of an exported page: light and dark by the reader's own setting, nothing loaded."""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--ground:#faf9f5;--raised:#f2f0ea;--line:#dfdcd3;--text:#2a2e36;
--past:#4f545d;--muted:#6a6e75;--accent:#2f5fc4;--said:#eef2fb;--warn:#8a5a00;
--warn-ground:#fdf3dd;--add:#1d6b2a;--add-ground:#e6f4e6;--del:#a32430;--del-ground:#fbe9ea}
@media screen and (prefers-color-scheme:dark){:root{--ground:#12161d;--raised:#181d26;
--line:#2d3543;--text:#d6dbe4;--past:#b3b9c3;--muted:#9398a0;--accent:#86a9f5;--said:#19212f;
--warn:#e2b25f;--warn-ground:#2a2418;--add:#86c28b;--add-ground:#17261c;--del:#ee7b80;
--del-ground:#2c1b20}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:2.5rem 1.25rem 5rem;background:var(--ground);
color:var(--text);font:16px/1.6 system-ui,-apple-system,"Segoe UI",sans-serif;
overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.3;margin:0 0 1rem}
h2{display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:baseline;justify-content:space-between;
font-size:1rem;margin:3rem 0 1rem;padding:.9rem 0 0;border-top:1px solid var(--line);
scroll-margin-top:1rem}
h2 b{color:var(--accent)}
h2 span{flex:1 1 18rem;font-weight:600}
h2 small{color:var(--muted);font-weight:400;font-size:.85rem}
h2.dim b{color:var(--past)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0;font-size:.9rem}
dt{color:var(--muted)}
dd{margin:0}
a{color:var(--accent);text-decoration:none}
a:hover,a:focus{text-decoration:underline}
code,pre{font:.86rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{background:var(--raised);border-radius:3px;padding:.1em .3em}
pre{margin:.5rem 0;padding:.6rem .8rem;background:var(--raised);border-radius:6px;overflow-x:auto;
white-space:pre-wrap;tab-size:4}
table{border-collapse:collapse;font-size:.92rem;overflow-wrap:normal}
th,td{padding:.3rem .7rem;border:1px solid var(--line);text-align:left;vertical-align:top}
th{background:var(--raised)}
.wide{margin:.75rem 0;overflow-x:auto}
.remark{margin:1rem 0 0;font-size:.9rem;color:var(--muted)}
.problems{margin:1rem 0 0;padding:.6rem 1rem .6rem 2rem;background:var(--warn-ground);
color:var(--warn);border-radius:6px;font-size:.9rem}
.contents{margin:1.25rem 0 0;font-size:.9rem}
.contents ol{margin:.4rem 0;padding-left:2.5rem}
.contents li::marker{color:var(--muted)}
.said{margin:1rem 0}
.said>p{margin:.5rem 0;white-space:pre-wrap}
.said>.item{margin:.2rem 0 .2rem 1.2rem;text-indent:-1.2rem}
.said>.in1{margin-left:2.4rem}
.said>.in2{margin-left:3.6rem}
.said>.in3{margin-left:4.8rem}
.said>.heading{margin-top:1rem;font-weight:700}
.said>.who{margin:0 0 .2rem;font-size:.8rem;color:var(--muted)}
.said>.language{margin:.75rem 0 -.3rem;font-size:.8rem;color:var(--muted)}
.user{padding:.5rem .9rem;border-left:3px solid var(--accent);border-radius:0 6px 6px 0;
background:var(--said)}
.user>.who{color:var(--accent)}
.user code,.user pre{background:var(--ground)}
.label{float:right;color:var(--accent)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.call{margin:1rem 0;padding:.5rem .8rem;border:1px solid var(--line);border-radius:6px}
.head{display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:baseline;font-size:.9rem}
.head b{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.head .what{flex:1 1 12rem;background:none;padding:0}
.head small,summary{color:var(--muted);font-size:.85rem}
.state{color:var(--del);font-size:.85rem;font-weight:600}
.problem{border-color:var(--warn);background:var(--warn-ground)}
.problem pre{background:var(--ground)}
.problem .state,.problem>summary{color:var(--warn);font-weight:600}
.diff{padding:.4rem 0;overflow-x:auto}
.diff span{display:block;padding:0 .8rem;min-height:1.5em}
.diff .add{background:var(--add-ground);color:var(--add)}
.diff .del{background:var(--del-ground);color:var(--del)}
details{margin:.5rem 0}
details.fold{padding:.35rem .8rem;border-radius:6px}
details.problem{border:1px solid var(--warn)}
summary{cursor:pointer}
.boundary{margin:2rem 0;padding:.6rem 0;border:solid var(--line);border-width:1px 0;font-size:.9rem}
.note{color:var(--muted);font-size:.85rem}
.dim{color:var(--past)}
@media (max-width:30rem){body{padding:1.25rem .9rem 3rem}h1{font-size:1.35rem}
dl{grid-template-columns:1fr}dd{margin:0 0 .4rem}}
@media print{:root{color-scheme:light;--ground:#fff}body{max-width:none;padding:0;font-size:11pt}
h2,.head,.who,.heading,.language,summary{break-after:avoid}.call,.boundary{break-inside:auto}
.diff span,tr,.head{break-inside:avoid}
.diff .add,.diff .del,.problem,.problems,.user{print-color-adjust:exact}
.contents{display:none}}
"""
