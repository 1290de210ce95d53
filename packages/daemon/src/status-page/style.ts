/** The page's whole style. Colours are told apart by shape and word as well. */
export const style = `
:root{--bg:#fff;--ink:#1a1d21;--soft:#5b6470;--line:#d9dee5;--card:#f6f8fa;--up:#1a7f4b;--part:#a15c00;--down:#c62828;--maint:#2d5fc4;--none:#8a94a0}
@media(prefers-color-scheme:dark){:root{--bg:#111418;--ink:#e8ebef;--soft:#a3adb8;--line:#2e353d;--card:#191e24;--up:#4cc98a;--part:#f0a63c;--down:#ff7a70;--maint:#86aaff;--none:#77828f}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem;margin:0 0 1rem}h2{font-size:1.1rem;margin:2rem 0 .75rem}h3{font-size:1rem;margin:0;display:inline}
h3.day{display:block;margin:1rem 0 .5rem;color:var(--soft);font-weight:600}
a{color:var(--maint);margin-right:.75rem}
:focus-visible{outline:3px solid var(--maint);outline-offset:2px}
.overall{font-size:1.25rem;font-weight:600;margin:0;padding:1rem 1.25rem;border-radius:.5rem;border-left:.5rem solid var(--none);background:var(--card)}
.overall.up{border-color:var(--up)}.overall.down{border-color:var(--down)}.overall.maintenance{border-color:var(--maint)}
.banner{margin:1rem 0 0;padding:.75rem 1.25rem;border-radius:.5rem;border:2px solid var(--maint)}.banner h2{margin:0}.banner p{margin:.25rem 0}
.services{list-style:none;margin:0;padding:0}
.services>li{padding:1rem 0;border-top:1px solid var(--line)}
.state{float:right;font-weight:600;margin-left:1rem}.state.up{color:var(--up)}.state.down{color:var(--down)}.state.maintenance{color:var(--maint)}.state.paused,.state.unknown{color:var(--soft)}
.days{clear:both;display:flex;align-items:flex-end;height:2.25rem;margin:.5rem 0 0}
.days i{flex:1;min-width:0;height:100%;border-right:1px solid var(--bg);border-radius:2px;background:var(--up)}
.days .n{background:var(--none);height:30%}.days .m{background:var(--maint);height:60%}.days .p{background:linear-gradient(var(--part) 40%,var(--up) 40%)}.days .d{background:var(--down)}
.days i:hover,.days .at{opacity:.6}
.ends{display:flex;justify-content:space-between;margin:.25rem 0 0;color:var(--soft);font-size:.85rem}
.tip{margin:.25rem 0 0;font-size:.85rem;min-height:1.3em}
figure{margin:.5rem 0 0}svg{width:100%;height:2rem;display:block}path{fill:none;stroke:var(--maint);stroke-width:2;stroke-linecap:round;stroke-linejoin:round;vector-effect:non-scaling-stroke}
figcaption,.quiet,footer{color:var(--soft);font-size:.85rem}
article{margin:0 0 .75rem;padding:.75rem 1.25rem;border-radius:.5rem;background:var(--card)}article p{margin:.25rem 0}
.status{color:var(--soft);font-size:.85rem;margin-left:.5rem}
.timeline{margin:.5rem 0 0;padding-left:1rem;list-style:none;border-left:2px solid var(--line)}.timeline li{margin:.25rem 0;white-space:pre-line}.timeline time{color:var(--soft);font-size:.85rem}.timeline b{text-transform:capitalize}
@media(max-width:40rem){.days i{border-right-width:.5px;border-radius:0}}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:.5rem}
`.replaceAll('\n', '');
