/** The page's whole style. Colours are told apart by shape and word as well. */
export const style = `
:root{--bg:#fff;--ink:#1a1d21;--soft:#57606c;--line:#e1e5ea;--card:#f6f8fa;--up:#1a7f4b;--good:#3aa372;--part:#b56a00;--down:#c62828;--maint:#2d5fc4;--none:#b3bbc5;--upcard:#edf7f1;--downcard:#fdeeee;--maintcard:#eef3fd;--partcard:#fdf4e6}
@media(prefers-color-scheme:dark){:root{--bg:#111418;--ink:#e8ebef;--soft:#a3adb8;--line:#2a3037;--card:#191e24;--up:#5bcf96;--good:#359a6a;--part:#f0a63c;--down:#ff8078;--maint:#8fb0ff;--none:#59636e;--upcard:#14241c;--downcard:#2d1918;--maintcard:#182238;--partcard:#2a2114}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1rem}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 1.25rem}h2{font-size:1.1rem;margin:2.5rem 0 .75rem}h3{font-size:1rem;margin:0}h3.day{margin:1rem 0 .5rem;color:var(--soft)}
p{margin:.25rem 0}
a{color:var(--maint);margin-right:.75rem}
:focus-visible{outline:3px solid var(--maint);outline-offset:3px;border-radius:2px}
.overall{--c:var(--soft);display:flex;gap:1rem;padding:1.25rem;border-radius:.75rem;background:var(--card)}
.overall.up{--c:var(--up);background:var(--upcard)}.overall.down{--c:var(--down);background:var(--downcard)}.overall.incident{--c:var(--part);background:var(--partcard)}.overall.maintenance{--c:var(--maint);background:var(--maintcard)}
.overall p{font-size:1.25rem;font-weight:600;line-height:1.4;margin:.2rem 0 0}
.overall div{min-width:0}.overall li{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.overall ul{margin:.25rem 0 0;padding:0;list-style:none}
.icon{width:2.25rem;height:2.25rem;flex:none}.icon circle{fill:var(--c)}.icon path{stroke:var(--bg);stroke-width:2.5}
.stale{margin:1rem 0 0;padding:.75rem 1.25rem;border-radius:.75rem;border:2px solid var(--part)}.stale:empty{display:none}
.banner{margin:1rem 0 0;padding:1rem 1.25rem;border-radius:.75rem;background:var(--maintcard)}.banner h2{margin:0;font-size:1rem}
.services{list-style:none;margin:0;padding:0}
.services>li{padding:1.25rem 0;border-top:1px solid var(--line)}
.head{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}
.state,.status{flex:none;font-weight:600}.state.up{color:var(--up)}.state.down{color:var(--down)}.state.maintenance{color:var(--maint)}.state.paused,.state.unknown,.status{color:var(--soft)}
.status{font-size:.85rem}
.days{position:relative;display:flex;align-items:flex-end;gap:2px;height:2rem;margin:.5rem 0 0}
b{font-weight:600}.days b{display:contents}
.days i{flex:1;min-width:0;height:100%;border-radius:2px;background:var(--good)}
.days .n i{background:var(--none);height:25%}.days .m i{background:var(--maint);height:60%}.days .p i{background:linear-gradient(var(--part) 45%,var(--good) 45%)}.days .d i{background:var(--down)}
.days b:hover i,.days .at i{filter:brightness(.8)}
.days b:hover::after,.days .at::after,.days:focus-visible::after{position:absolute;z-index:1;top:calc(100% + 7px);left:0;right:0;padding:0 .5rem;text-align:center;font-size:.85rem;border-radius:4px;background:var(--bg);content:attr(data-day)}
.days:focus-visible::after{content:attr(aria-label);box-shadow:0 0 0 1px var(--line);padding:.25rem .5rem}.days:hover::after,.days:has(.at)::after{display:none}
.days:hover b:not(:hover)::after{display:none}
.ends{margin:.4rem 0 0;display:flex;justify-content:space-between;color:var(--soft);font-size:.85rem}
figure{display:flex;align-items:center;gap:1rem;margin:.5rem 0 0}figure svg{flex:1;min-width:0;height:2rem}figcaption{flex:none;max-width:100%}
path{fill:none;stroke:var(--maint);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}figure path{vector-effect:non-scaling-stroke}
figcaption,.quiet,footer{color:var(--soft);font-size:.85rem}
article{margin:0 0 .75rem;padding:1rem 1.25rem;border-radius:.75rem;background:var(--card)}
.timeline{margin:.75rem 0 0;padding-left:1rem;list-style:none;border-left:2px solid var(--line)}.timeline li{margin:.5rem 0}.timeline p{margin:0;white-space:pre-line}.timeline time{color:var(--soft);font-size:.85rem;margin-left:.25rem}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:.75rem}
@media(max-width:40rem){main{padding-top:1.5rem}.days{gap:1px}.days i{border-radius:1px}figure{display:block}figure svg{width:100%;height:1.75rem;display:block}}
@media(forced-colors:active){.days i{forced-color-adjust:none}}
`.replaceAll('\n', '');
