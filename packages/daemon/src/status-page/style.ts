/** Backgrounds of the page in the light and in the dark colour scheme. */
export const lightGround = '#ffffff';
export const darkGround = '#111418';

/**
 * The page's whole style. States differ in shape and in words, not only in colour. The bar of a day with downtime is
 * taller, and its upper part shows the downtime. That part has a contrast of 3 to 1 with the background and with a good
 * day.
 */
export const style = `
:root{--bg:${lightGround};--ink:#1a1d21;--soft:#57606c;--line:#e1e5ea;--card:#f6f8fa;--up:#1a7f4b;--good:#3aa372;--part:#8a5200;--down:#c62828;--bad:#8c1111;--maint:#2d5fc4;--none:#868f9a;--accent:#2d5fc4;--violet:#8e3aa8;--upcard:#edf7f1;--downcard:#fdf0f0;--maintcard:#eef3fd;--partcard:#fdf4e6}
@media(prefers-color-scheme:dark){:root{--bg:${darkGround};--ink:#e8ebef;--soft:#a3adb8;--line:#2a3037;--card:#191e24;--up:#5bcf96;--good:#2b7350;--part:#f0a63c;--down:#ff8a82;--bad:#ffb3ab;--maint:#8fb0ff;--none:#6b7683;--accent:#8fb0ff;--violet:#d08be6;--upcard:#14241c;--downcard:#2a181a;--maintcard:#182238;--partcard:#2a2114}}
*{box-sizing:border-box}
body{margin:0;border-top:4px solid var(--accent);background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
main{max-width:58.25rem;margin:0 auto;padding:2rem 1rem}
header{display:flex;gap:.875rem;align-items:center;margin:0 0 1.25rem}header div{min-width:0}header img{flex:none;border-radius:.5rem;object-fit:contain}header p{margin:.125rem 0 0;color:var(--soft)}
h1{font-size:1.5rem;line-height:1.3;margin:0}h2{font-size:1.125rem;margin:2.25rem 0 .75rem}h3,h4{font-size:1rem;margin:0}h3.day{margin:1rem 0 .5rem;color:var(--soft)}h3.group{margin:1.25rem 0 .25rem;font-size:.875rem;color:var(--soft)}
p{margin:.25rem 0}
a{color:var(--accent)}h1 a,h2 a,h3 a{color:inherit;text-decoration-color:transparent}h1 a:hover,h2 a:hover,h3 a:hover{text-decoration-color:currentcolor}
.links a,nav a{margin-right:.875rem}nav{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:space-between;margin:1.5rem 0 0}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:2px}
.overall{--c:var(--soft);display:flex;gap:1rem;padding:1.125rem 1.25rem;border-radius:.75rem;background:var(--card)}
.overall.up{--c:var(--up);background:var(--upcard)}.overall.down{--c:var(--down);background:var(--downcard)}.overall.incident{--c:var(--part);background:var(--partcard)}.overall.maintenance{--c:var(--maint);background:var(--maintcard)}
.overall p{font-size:1.25rem;font-weight:600;line-height:1.4;margin:.2rem 0 0}
.overall div{min-width:0}.overall ul{margin:.375rem 0 0;padding:0;list-style:none}.overall li{margin:.125rem 0}.overall bdi{font-weight:600}.overall span{color:var(--soft)}
.icon{width:2.25rem;height:2.25rem;flex:none}.icon circle{fill:var(--c)}.icon path{stroke:var(--bg);stroke-width:2.5}
.stale{margin:1rem 0 0;padding:.75rem 1.25rem;border-radius:.75rem;border:2px solid var(--part)}.stale:empty{display:none}
.banner{margin:1rem 0 0;padding:1rem 1.25rem;border-radius:.75rem;background:var(--maintcard)}.banner h2{margin:0;font-size:1rem}.banner .status{color:var(--maint)}
.head{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}.head h2{margin:0;font-size:1rem}
.status{flex:none;font-weight:600;font-size:.875rem;color:var(--part)}.status.planned{color:var(--maint)}.over .status{color:var(--soft)!important}
.services{list-style:none;margin:0;padding:0}
.services>li{display:grid;grid-template-columns:minmax(0,1fr) auto auto;column-gap:1rem;align-items:baseline;padding:1rem 0;border-top:1px solid var(--line)}
.services>li>*{grid-column:1/-1}.services>li>.name{grid-column:1}.services>li>.uptime{grid-column:2}.services>li>.state{grid-column:3}
.uptime{color:var(--soft);font-size:.875rem}
.state{--c:var(--soft);font-weight:600;color:var(--c);white-space:nowrap}.up>.state{--c:var(--up)}.down>.state{--c:var(--down)}.maintenance>.state{--c:var(--maint)}
.state::before{content:"";display:inline-block;width:.625em;height:.625em;margin-right:.5em;border:2px solid var(--c);border-radius:50%}.up>.state::before{background:var(--c)}.down>.state::before{background:var(--c);border-radius:0;transform:rotate(45deg)}.maintenance>.state::before{background:var(--c);border-radius:0;height:.3em;vertical-align:.15em}
.since{margin:0;color:var(--down);font-size:.875rem}
b{font-weight:600}.days b,.key b{display:contents}
.days{position:relative;display:flex;align-items:flex-end;gap:2px;height:2.25rem;margin:.375rem 0 0}
.days i,.key em{flex:1;min-width:0;height:62%;border-radius:1px;background:var(--good)}
.days .n i,.key .n em{background:var(--none)!important;height:12%!important}.days .m i,.key .m em{background:var(--maint)!important;height:36%!important}
b[class^=d]>*{height:100%!important}
.d1{--h:36%}.d2{--h:42%}.d3{--h:52%}.d4{--h:64%}.d5{--h:80%}
b[class^=d]:not(.d6)>*{background:linear-gradient(var(--bad) var(--h),transparent 0 calc(var(--h) + 2px),var(--good) 0)!important}.d6>*{background:var(--bad)!important}
.days b:hover i,.days .at i{filter:brightness(.75)}
.days b:hover::after,.days .at::after,.days:focus-visible::after{position:absolute;z-index:1;top:calc(100% + 4px);left:0;right:0;padding:0 .5rem;text-align:center;font-size:.875rem;border-radius:4px;background:var(--bg);content:attr(data-day)}
.days:focus-visible::after{content:attr(aria-label);box-shadow:0 0 0 1px var(--line);padding:.25rem .5rem}.days:hover::after,.days:has(.at)::after{display:none}
.days:hover b:not(:hover)::after{display:none}
.ends,.axis{margin:.375rem 0 0;display:flex;justify-content:space-between;color:var(--soft);font-size:.8125rem}
figure{display:grid;grid-template-columns:minmax(0,1fr) 20rem;align-items:center;gap:1rem;margin:.5rem 0 0}figure>svg{width:100%;height:1.75rem}.regions>svg{height:3rem}figcaption{text-align:right}
path{fill:none;stroke:var(--maint);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}figure path{vector-effect:non-scaling-stroke}
.r1{--s:var(--maint)}.r2{--s:var(--part);--d:7 3}.r3{--s:var(--up);--d:2 4}.r4{--s:var(--violet);--d:9 3 2 3}.r5{--s:var(--soft);--d:4 3}[class^=r] path,path[class^=r]{stroke:var(--s);stroke-dasharray:var(--d)}
figcaption span,.quiet span{display:inline-block;margin-left:.75rem}figcaption span svg,.quiet span svg{width:1.75rem;height:.5rem;margin-right:.375rem}
figcaption,.quiet,footer{color:var(--soft);font-size:.875rem}figcaption{font-size:.8125rem}
.compact>li{grid-template-columns:minmax(0,1fr) 22.5rem 4.5rem 8.25rem;align-items:center;padding:.4375rem 0}
.compact>li>.days{grid-area:1/2;margin:0;height:1.5rem;gap:1px}.compact>li>.uptime{grid-area:1/3;text-align:right}.compact>li>.state{grid-area:1/4}.compact>li>.since{grid-column:1/-1}.compact .state{font-size:.9375rem}.compact .name{font-weight:500}
.compact>.down{background:var(--downcard);box-shadow:-.75rem 0 var(--downcard),.75rem 0 var(--downcard)}.compact>.down .name{font-weight:600}
.axis{width:22.5rem;margin:0 14.75rem .25rem auto}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.75rem 0 0;padding:.75rem 0 0;border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem}.key span{display:flex;align-items:flex-end;gap:.5rem;height:1.25rem;line-height:1.25rem}.key em{flex:none;width:6px}
article{margin:0 0 .75rem;padding:1rem 1.25rem;border-radius:.75rem;background:var(--card)}
article:target,.banner:target{outline:2px solid var(--accent)}
.timeline{margin:.75rem 0 0;padding-left:1rem;list-style:none;border-left:2px solid var(--line)}.timeline li{margin:.5rem 0}.timeline p{margin:0;white-space:pre-line}.timeline time{color:var(--soft);font-size:.875rem;margin-left:.25rem}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem}
@media(max-width:60rem){.compact>li{grid-template-columns:minmax(0,1fr) 16.875rem 4.5rem 8rem}.axis{width:16.875rem;margin-right:14.5rem}}
@media(max-width:44rem){main{padding:1.25rem .9375rem}.days{gap:1px}figure{display:block}figure>svg{display:block}figcaption span{margin:0 .75rem 0 0}figcaption{text-align:left}.overall{padding:1rem}.services>li{column-gap:.75rem}.compact>li{grid-template-columns:minmax(0,1fr) auto auto;padding:.5rem 0}.compact>li>.uptime{grid-area:1/2}.compact>li>.state{grid-area:1/3}.compact>li>.since{grid-area:2/1/3/-1}.compact>li>.days{grid-area:3/1/4/-1;height:1.25rem;margin:.25rem 0 0}.axis{width:auto;margin:0 0 .25rem}}
@media(forced-colors:active){.days i,.key em{forced-color-adjust:none}}
`.replaceAll('\n', '');
