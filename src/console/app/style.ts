/** The console's style sheet. It is a module, so the compiler includes it and no file can be forgotten. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f6f8, #10151a);
  --sheet: light-dark(#ffffff, #171e25);
  --raised: light-dark(#f0f3f6, #1e2730);
  --ink: light-dark(#16202a, #dde5ec);
  --muted: light-dark(#556574, #93a3b1);
  --line: light-dark(#dbe2e8, #2a353f);
  --accent: light-dark(#0f5c70, #57b8d0);
  --on-accent: light-dark(#ffffff, #06222b);
  --good: light-dark(#116b3c, #5cc98d);
  --warn: light-dark(#8a5200, #e6b450);
  --bad: light-dark(#b3201f, #ff8078);
  --buy: light-dark(#0b5fa5, #74b6f2);
  --sell: light-dark(#a2331b, #f29a7d);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace;
  font: 14px/1.45 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif;
}
*, ::before { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.skip:focus { left: 8px; top: 8px; z-index: 3; background: var(--sheet); padding: 6px 10px; }
#app { display: grid; grid-template: auto 1fr / 168px minmax(0, 1fr); min-height: 100vh; }
#app:has(.login) { display: block; }
.top { grid-column: 1 / -1; display: flex; align-items: center; gap: 20px; padding: 8px 16px; background: var(--sheet);
  border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 2; }
.brand { font-weight: 650; color: var(--ink); width: 136px; letter-spacing: .01em; }
.health { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; flex: 1; font-size: 13px; }
.health a { color: inherit; }
.who { display: flex; gap: 10px; align-items: center; font-size: 13px; }
nav { display: flex; flex-direction: column; padding: 12px 8px; gap: 1px; border-right: 1px solid var(--line);
  background: var(--sheet); position: sticky; top: 45px; align-self: start; height: calc(100vh - 45px); }
nav a { padding: 6px 10px; color: var(--ink); border-radius: 5px; }
nav a:hover { background: var(--raised); text-decoration: none; }
nav a[aria-current] { background: var(--raised); font-weight: 600; box-shadow: inset 3px 0 0 var(--accent); }
main { padding: 16px; min-width: 0; outline: none; }
.panel { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; margin-bottom: 16px; padding: 12px 14px 14px; }
.panel > header { display: flex; align-items: baseline; gap: 12px; justify-content: space-between; flex-wrap: wrap; margin-bottom: 8px; }
h1, h2, h3 { margin: 0; font-weight: 620; }
h1 { font-size: 22px; } h2 { font-size: 15px; } h3 { font-size: 14px; }
p { margin: 0 0 10px; }
.muted { color: var(--muted); }
.aside { font-size: 13px; min-width: 0; overflow-wrap: anywhere; }
.empty { color: var(--muted); padding: 20px 4px; margin: 0; }
.fault { color: var(--bad); border-left: 3px solid var(--bad); padding: 4px 10px; background: var(--raised); }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th { text-align: left; font-weight: 550; color: var(--muted); font-size: 12px; white-space: nowrap; }
th, td { padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
tbody tr:hover { background: var(--raised); }
tbody tr:last-child td { border-bottom: 0; }
.table th button { all: unset; cursor: pointer; color: inherit; } .table th button:hover { text-decoration: underline; } .table th button:focus-visible { outline: 2px solid var(--accent); }
.dense th, .dense td { padding-top: 1px; padding-bottom: 1px; } .dense { font-size: 12px; } .dense table { font-size: 12px; }
.fig span + span { margin-left: .25em; } td .reason { display: block; min-width: 160px; font-size: 12px; } td .reason:not(.muted) { color: var(--bad); }
.tools { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin-bottom: 6px; } .tools .choice { margin: 0; }
.menu { position: relative; } .menu > div { position: absolute; z-index: 3; display: grid; gap: 4px; padding: 10px 14px; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 18px; }
td { white-space: nowrap; }
td:has(.line) { max-width: 0; width: 60%; }
td.long { white-space: normal; overflow-wrap: anywhere; }
time, .figure { font-variant-numeric: tabular-nums; }
.id, code, pre { font-family: var(--mono); font-size: 12px; }
.line { display: block; overflow: hidden; text-overflow: ellipsis; color: var(--muted); }
pre { background: var(--raised); padding: 8px 10px; border-radius: 4px; overflow: auto; max-height: 320px; margin: 6px 0;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.state { white-space: nowrap; } .verdict .state, .long .state { white-space: normal; overflow-wrap: anywhere; }
.state::before { content: ''; width: 8px; height: 8px; display: inline-block; margin-right: 6px; border-radius: 50%; background: currentColor; }
.state.good { color: var(--good); } .state.warn { color: var(--warn); } .state.bad { color: var(--bad); font-weight: 600; }
.state.warn::before { border-radius: 1px; transform: rotate(45deg); } .state.bad::before { border-radius: 1px; }
.state.quiet { color: var(--muted); } .state.quiet::before { background: none; border: 1.5px solid currentColor; }
.lane { font-size: 11px; color: var(--muted); border: 1px solid var(--line); border-radius: 3px; padding: 0 4px; white-space: nowrap; }
.buy { color: var(--buy); } .sell { color: var(--sell); } .in { color: var(--buy); } .out { color: var(--accent); }
.differs { background: light-dark(#ffe9b8, #4d3c10); color: inherit; }
.filters { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: end; margin-bottom: 10px; }
.field { display: flex; flex-direction: column; gap: 2px; font-size: 12px; color: var(--muted); }
input, select, button { font: inherit; font-size: 13px; color: var(--ink); background: var(--sheet); border: 1px solid var(--line);
  border-radius: 4px; padding: 5px 8px; min-height: 30px; max-width: 100%; }
input, select { border-color: light-dark(#9aa8b4, #556574); }
input[type=checkbox] { min-height: 0; margin: 0; vertical-align: middle; } .narrow { display: none; }
input.moment { width: 160px; }
input:user-invalid { border-color: var(--bad); }
::placeholder { color: var(--muted); opacity: 1; }
button { cursor: pointer; background: var(--accent); color: var(--on-accent); border-color: transparent; font-weight: 550; }
a.button { text-align: center; padding: 6px; border: 1px solid var(--line); border-radius: 4px; }
button.plain { background: none; color: var(--ink); border-color: var(--line); font-weight: 400; }
button.risky { color: var(--bad); border-color: currentColor; }
button.danger { background: var(--bad); color: light-dark(#fff, #2b0605); }
td button { min-height: 24px; padding: 1px 8px; }
button:disabled { opacity: .45; cursor: not-allowed; }
.buttons { display: flex; gap: 10px; justify-content: flex-end; margin-top: 12px; }
.facts { display: flex; flex-wrap: wrap; gap: 8px 28px; margin: 0; }
.facts div { min-width: 0; } dt { font-size: 12px; color: var(--muted); }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.story { list-style: none; margin: 0; padding: 0; }
.story li { display: grid; grid-template-columns: 132px minmax(0, 1fr); gap: 14px; padding: 9px 0; border-top: 1px solid var(--line); }
.when { display: flex; flex-direction: column; font-variant-numeric: tabular-nums; font-size: 12px; }
.what { border-left: 3px solid var(--line); padding-left: 12px; }
.received .what, .reported .what { border-color: var(--buy); } .asked .what, .answered .what { border-color: var(--warn); }
.event .what { border-color: var(--good); }
.story dl { display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 4px 0 0; font-size: 12px; }
.story dl div { display: flex; gap: 6px; min-width: 0; } .story dd { font-family: var(--mono); }
summary { cursor: pointer; color: var(--accent); font-size: 12px; }
.chart { margin-top: 8px; width: 100%; display: block; } .chart line { stroke: var(--line); }
.chart text { fill: var(--muted); font-size: 11px; text-anchor: middle; } .chart text.tick { text-anchor: end; }
.charts { display: grid; gap: 14px 24px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.over-time { margin: 0; min-width: 0; max-width: 760px; } .over-time figcaption { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; font-size: 12px; }
.over-time svg { touch-action: pan-y; } .over-time b { font-variant-numeric: tabular-nums; font-weight: 600; }
.chart polyline { fill: none; stroke-width: 1.5; vector-effect: non-scaling-stroke; } .chart line.cursor { stroke: var(--muted); }
polyline.accent { stroke: var(--accent); } polyline.good { stroke: var(--good); } polyline.warn { stroke: var(--warn); } polyline.bad { stroke: var(--bad); }
.key::before { content: ''; display: inline-block; width: 12px; height: 3px; vertical-align: middle; margin-right: 5px; background: currentColor; }
.key.accent { color: var(--accent); } .key.good { color: var(--good); } .key.warn { color: var(--warn); } .key.bad { color: var(--bad); }
.tabs { display: inline-flex; } .tabs button { border-radius: 0; margin-left: -1px; } .tabs button[aria-pressed=true] { background: var(--raised); font-weight: 600; box-shadow: inset 0 -2px 0 var(--accent); }
.verdict { border-left: 5px solid currentColor; } .verdict.good { border-left-color: var(--good); } .verdict.warn { border-left-color: var(--warn); } .verdict.bad { border-left-color: var(--bad); }
.verdict h2 { font-size: 19px; margin-bottom: 4px; } .row-acts { display: inline-flex; gap: 6px; }
.legend, .chips { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0; padding: 0; font-size: 12px; }
.legend li { display: flex; align-items: center; gap: 5px; }
i.nonce { width: 10px; height: 10px; display: inline-block; border: 1px solid var(--line); }
i.nonce.free { background: var(--raised); } i.nonce.reserved { background: var(--buy); } i.nonce.sent { background: var(--warn); }
i.nonce.unknown { background: var(--bad); } i.nonce.used { background: var(--good); } i.nonce.expired { background: var(--muted); }
.nonces { margin: 0 0 10px; } .nonces svg { width: 100%; max-width: 900px; margin-top: 4px; display: block; }
.nonces rect { stroke: light-dark(#b9c5cf, #3a4854); stroke-width: .6; } rect.free { fill: var(--raised); } rect.reserved { fill: var(--buy); }
rect.sent { fill: var(--warn); } rect.unknown { fill: var(--bad); } rect.used { fill: var(--good); } rect.expired { fill: var(--muted); }
.nonces p { font-size: 12px; margin: 2px 0 0; }
.tier { margin: 0 0 16px; } .tier svg { width: 100%; height: 12px; display: block; margin: 6px 0 2px; }
rect.rail { fill: var(--raised); } rect.done { fill: var(--accent); } rect.gap { fill: var(--bad); }
.scale { display: flex; font-size: 12px; color: var(--muted); } .scale span { flex: 1; }
.share { vertical-align: middle; display: inline-flex; gap: 8px; align-items: center; } meter { width: 80px; }
.links { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 12px 0 0; align-items: center; }
.acts { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
.acts li { display: grid; grid-template-columns: 140px minmax(0, 1fr); gap: 14px; align-items: center; }
.choice { display: inline-flex; gap: 6px; align-items: center; font-size: 13px; margin-bottom: 8px; } .choice input { min-height: 0; }
.spans { margin: 14px 0 0; font-size: 12px; display: grid; gap: 2px; max-width: 760px; }
.spans div { display: grid; grid-template-columns: 190px minmax(0, 1fr); gap: 12px; align-items: center; }
.spans dd { display: grid; grid-template-columns: minmax(0, 1fr) 64px; gap: 10px; align-items: center; text-align: right; }
.spans svg { width: 100%; height: 8px; display: block; }
.result:empty { display: none; }
.run { border-top: 1px solid var(--line); margin-top: 12px; padding-top: 10px; } progress { width: 160px; accent-color: var(--accent); vertical-align: middle; margin-left: 12px; }
.prompt { border: 1px solid var(--warn); border-left-width: 4px; border-radius: 5px; background: var(--raised); padding: 10px 12px; margin: 0 0 10px; }
.prompt p { margin: 4px 0; } .prompt code { overflow-wrap: anywhere; }
.ladder, .finished { list-style: none; margin: 0 0 10px; padding: 0; font-size: 12px; display: grid; gap: 4px; max-height: 320px; overflow: auto; }
.strip-line { display: flex; gap: 10px; align-items: center; } .strip-line svg { width: 160px; height: 10px; border: 1px solid var(--line); flex: none; } .strip-line rect { stroke: none; }
.keys { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 20px; margin: 10px 0; } .keys div { display: flex; gap: 10px; } kbd { font-family: var(--mono); font-size: 12px; border: 1px solid var(--line); border-radius: 3px; padding: 0 5px; }
.kills { margin: 0 0 10px; padding: 0; list-style: none; } .kills li { padding: 4px 0; }
.tree, .tree details { margin: 0; } .tree details, .leaf { padding-left: 14px; } .tree summary { color: var(--ink); font-size: 13px; padding: 2px 0; }
.leaf { display: grid; grid-template-columns: minmax(120px, 260px) 1fr; gap: 10px; padding: 2px 0 2px 28px; }
dialog { border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); color: var(--ink); padding: 20px; width: min(460px, 92vw); }
dialog::backdrop { background: rgb(0 0 0 / .45); }
dialog .field { margin-top: 10px; } dialog h2 { margin-bottom: 8px; }
.login { display: grid; place-items: center; min-height: 100vh; }
.login form { width: min(340px, 92vw); background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 26px;
  display: flex; flex-direction: column; gap: 12px; } .login p { margin: -8px 0 6px; } .login .field { flex: none; }
@media (max-width: 760px) {
  #app { grid-template: auto auto 1fr / minmax(0, 1fr); }
  .top { flex-wrap: wrap; gap: 6px 12px; padding: 8px 12px; position: static; } .brand { width: auto; flex: 1; }
  .health { order: 3; flex-basis: 100%; gap: 2px 12px; font-size: 12px; }
  nav { flex-direction: row; overflow-x: auto; padding: 6px 8px; height: auto; top: 0; border-right: 0; border-bottom: 1px solid var(--line); z-index: 2; }
  nav a { white-space: nowrap; padding: 8px 10px; } nav a[aria-current] { box-shadow: inset 0 -3px 0 var(--accent); }
  main { padding: 10px; } .panel { padding: 10px 12px; }
  .wide, .blank, thead { display: none; }
  table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: 1px 14px; padding: 6px 0; border-bottom: 1px solid var(--line); }
  td { display: inline-flex; gap: 5px; align-items: baseline; border: 0; padding: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 0; }
  td::before { content: attr(data-head); font-size: 11px; color: var(--muted); white-space: nowrap; }
  td.long { flex-basis: 100%; } .number { text-align: left; padding-right: 0; }
  td:first-child::before, td.bare::before { content: none; }
  .chart text { font-size: 15px; } .chart text.odd { display: none; } .tabs button { min-height: 34px; }
  .narrow { display: inline-block; margin-bottom: 6px; } form.filters:not(.shown) { display: none; }
  .compact tr { display: grid; grid-template-columns: auto auto auto 1fr auto; gap: 1px 8px; padding: 5px 0; } .compact td:nth-of-type(n) { white-space: nowrap; }
  .compact td::before { content: none; } .compact td.at::before { content: '@'; } .tools { display: none; }
  .story li { grid-template-columns: minmax(0, 1fr); gap: 4px; } .when { flex-direction: row; gap: 10px; }
  .field { flex: 1 1 130px; } .field input, .field select { width: 100%; min-height: 38px; font-size: 16px; }
  button { min-height: 38px; } .spans div { grid-template-columns: 120px minmax(0, 1fr); } .acts li { grid-template-columns: minmax(0, 1fr); gap: 4px; } .leaf { grid-template-columns: 1fr; gap: 0; padding-left: 14px; }
}
@media print {
  :root { color-scheme: light; --ground: #fff; } nav, .who, .skip, .filters, .tools, .tabs, .buttons, .row-acts, .acts, .narrow, td input { display: none !important; }
  #app { display: block; } .top { position: static; } .panel { border: 0; padding: 0; break-inside: auto; } .table { overflow: visible; } tr, figure { break-inside: avoid; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important; } }
`;
