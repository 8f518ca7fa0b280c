/** The style of the report: one column on a phone, light or dark as the reader prefers, and printable. */
export const style = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b2430;--dim:#5d6978;--line:#dde2e9;--peer:#e8f1fd;
--desk:#f0f2f5;--ok:#157347;--okbg:#e2f4ea;--bad:#b42318;--badbg:#fdeaea;--odd:#8a5a00;--oddbg:#fdf3dc;--accent:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2029;--ink:#e4e9f0;--dim:#98a4b3;--line:#2c3542;
--peer:#1d2e45;--desk:#232b36;--ok:#5fd08f;--okbg:#17352a;--bad:#ff8f84;--badbg:#43201f;--odd:#f0c469;--oddbg:#3b3017;--accent:#86b4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:62rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:0}h2{font-size:1.1rem;margin:2.2rem 0 .7rem}
p{margin:.3rem 0}.dim{color:var(--dim)}a{color:var(--accent)}
.banner{display:block;margin:1.2rem 0;padding:1rem 1.2rem;border-radius:.6rem;border-left:.4rem solid}
.banner strong{display:block;font-size:1.15rem}
.banner.passed{background:var(--okbg);border-color:var(--ok)}.banner.failed{background:var(--badbg);border-color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.6rem}
.tile,.card,details.scenario{background:var(--card);border:1px solid var(--line);border-radius:.6rem}
.tile{padding:.6rem .9rem}.tile b{display:block;font-size:1.6rem;line-height:1.2}
.card{padding:.4rem 1rem;overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-top:1px solid var(--line)}
tr:first-child>*{border-top:0}th{font-weight:500;color:var(--dim);white-space:nowrap}
.matrix{display:grid;grid-template-columns:10rem 1fr;gap:.6rem 1rem;align-items:start;padding:.8rem 0}
.chips{display:flex;flex-wrap:wrap;gap:.35rem}
.chip,.mark{font-size:.8rem;font-weight:600;border-radius:.35rem;padding:.1rem .45rem;text-decoration:none;white-space:nowrap}
.passed.chip,.passed.mark{background:var(--okbg);color:var(--ok)}.failed.chip,.failed.mark{background:var(--badbg);color:var(--bad)}
.inconclusive.chip,.inconclusive.mark,.waived.chip,.waived.mark{background:var(--oddbg);color:var(--odd)}
.notRun.chip,.notRun.mark{background:var(--desk);color:var(--dim)}
details.scenario{margin:.5rem 0;scroll-margin-top:.5rem}
details.scenario>summary{display:flex;gap:.6rem;align-items:baseline;padding:.6rem 1rem;cursor:pointer;list-style:none}
details.scenario>summary::-webkit-details-marker{display:none}
summary .id{font-weight:600;min-width:3.2rem}summary .title{flex:1}
summary .level{color:var(--dim);font-size:.85rem}
.body{padding:.2rem 1rem 1rem;border-top:1px solid var(--line)}
.why{margin:.6rem 0;padding:.5rem .8rem;border-radius:.4rem;background:var(--badbg);color:var(--bad)}
.why.notRun{background:var(--desk);color:var(--dim)}.why.waived,.why.inconclusive{background:var(--oddbg);color:var(--odd)}
.ladder{list-style:none;margin:.8rem 0;padding:0;display:flex;flex-direction:column;gap:.4rem}
.lanes{display:flex;justify-content:space-between;font-size:.8rem;color:var(--dim);border-bottom:1px solid var(--line);padding-bottom:.2rem}
.rung,.why{overflow-wrap:anywhere}
.rung{width:min(88%,46rem);border-radius:.5rem;padding:.35rem .7rem;border:1px solid transparent}
.rung.peer{align-self:flex-start;background:var(--peer)}.rung.right{align-self:flex-end;background:var(--desk)}
.rung.middle{align-self:center;width:auto;max-width:100%;color:var(--dim);font-size:.88rem;text-align:center;padding:.1rem .6rem}
.rung.person{background:var(--oddbg);color:var(--odd)}
.rung.broken{border-color:var(--bad)}
.rung header{display:flex;gap:.6rem;justify-content:space-between;flex-wrap:wrap}
.rung .what{font-weight:600}.rung time{color:var(--dim);font-size:.8rem;font-variant-numeric:tabular-nums}
.raw{font:12px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere;color:var(--dim);margin:.15rem 0 0}
.raw b{font-weight:500;color:var(--ink)}
.verdicts{margin:.4rem 0 0;padding:0;list-style:none;font-size:.88rem}
.verdicts li{padding-left:1.3rem;position:relative}.verdicts li:before{position:absolute;left:0;content:"✓";color:var(--ok);font-weight:700}
.verdicts li.unmet:before{content:"✗";color:var(--bad)}.verdicts li.unmet{color:var(--bad)}
.verdicts .rule{display:block;color:var(--dim);font-size:.82rem}
.hash{font:12px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
@media (max-width:34rem){main{padding:1rem .7rem 3rem}.matrix{grid-template-columns:1fr;gap:.2rem .5rem}.matrix .chips{margin-bottom:.6rem}
details.scenario>summary{flex-wrap:wrap}summary .title{flex:1 0 60%}.rung{width:96%}.card th{white-space:normal}}
@media print{body{background:#fff}.banner,.tile,.card,details.scenario{break-inside:avoid}}
`;
