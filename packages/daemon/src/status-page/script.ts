/**
 * The page's whole script, as the browser gets it: it tells times in the reader's zone, steps through the days by arrow
 * keys, and every 15 s puts what has changed in the place of what was there.
 */
export const script = `
(()=>{
const local=new Intl.DateTimeFormat(undefined,{dateStyle:"medium",timeStyle:"short"});
const tell=()=>{
for(const t of document.querySelectorAll("time"))t.textContent=local.format(new Date(t.dateTime));
const zone=document.querySelector(".zone");
if(zone)zone.textContent="Times are in "+(Intl.DateTimeFormat().resolvedOptions().timeZone||"your zone")+", days in UTC.";
};
document.addEventListener("keydown",e=>{
const days=e.target.closest&&e.target.closest(".days"),by={ArrowLeft:-1,ArrowRight:1}[e.key];
if(!days||!by)return;
e.preventDefault();
const all=[...days.children],now=all.findIndex(d=>d.classList.contains("at")),next=now<0?all.length-1:Math.min(all.length-1,Math.max(0,now+by));
all.forEach((d,i)=>d.classList.toggle("at",i===next));
let tip=days.nextElementSibling;
if(!tip.classList.contains("tip")){tip=document.createElement("p");tip.className="tip";tip.setAttribute("role","status");days.after(tip)}
tip.textContent=all[next].title;
});
let tag="",waiting=0;
const refresh=async()=>{
if(document.hidden||document.activeElement&&document.activeElement.matches(".days"))return;
try{
const answer=await fetch(location.href,{headers:tag?{"if-none-match":tag}:{},cache:"no-cache",credentials:"omit"});
if(answer.status!==200)return;
tag=answer.headers.get("etag")||"";
const made=new DOMParser().parseFromString(await answer.text(),"text/html"),fresh=made.querySelector("main");
if(!fresh)return;
document.title=made.title;
document.querySelector("main").replaceWith(document.adoptNode(fresh));
tell();
}catch{}
};
tell();
setInterval(refresh,15000);
document.addEventListener("visibilitychange",refresh);
})();
`;
