/**
 * The page's whole script, as browsers get it. The script shows times in the reader's zone. The arrow keys move
 * through the days. Every 15 s the script loads the page again. It replaces only elements that changed, so that focus,
 * selection and scroll position stay.
 */
export const script = `
(()=>{
const local=new Intl.DateTimeFormat(undefined,{dateStyle:"medium",timeStyle:"short"});
const zone=Intl.DateTimeFormat().resolvedOptions().timeZone||"your zone";
const main=document.querySelector("main");
const slide=(days,i)=>{
for(const[k,v]of Object.entries({role:"slider","aria-valuemin":1,"aria-valuemax":days.children.length,"aria-valuenow":i+1,"aria-valuetext":days.children[i].dataset.day}))days.setAttribute(k,v);
};
const tell=root=>{
for(const t of root.querySelectorAll("time"))t.textContent=local.format(new Date(t.dateTime));
for(const days of root.querySelectorAll(".days"))slide(days,days.children.length-1);
root.querySelector(".zone").textContent=/^(Etc.)?(UTC|GMT|UCT|Zulu)$/.test(zone)?"Times and days are in UTC.":"Times are in "+zone+", days in UTC.";
};
let at=-1;
const point=days=>{
at=Math.min(at,days.children.length-1);
[...days.children].forEach((d,n)=>d.classList.toggle("at",n===at));
slide(days,at);
};
document.addEventListener("keydown",e=>{
const days=e.target.closest(".days");
if(!days||e.altKey||e.ctrlKey||e.metaKey)return;
const last=days.children.length-1,from=at<0?last+1:at,to={ArrowLeft:from-1,ArrowRight:from+1,Home:0,End:last}[e.key];
if(to===undefined)return;
e.preventDefault();
at=Math.max(0,Math.min(last,to));
point(days);
});
const leave=days=>{
at=-1;
for(const d of days.querySelectorAll(".at"))d.classList.remove("at");
};
document.addEventListener("focusout",e=>{if(e.target.matches(".days"))leave(e.target)});
const bring=(old,fresh)=>{
if(old.isEqualNode(fresh))return;
if(old.nodeName!==fresh.nodeName)return old.replaceWith(fresh);
if(old.nodeType!==1){old.data=fresh.data;return}
for(const{name}of[...old.attributes])if(!fresh.hasAttribute(name))old.removeAttribute(name);
for(const{name,value}of fresh.attributes)if(old.getAttribute(name)!==value)old.setAttribute(name,value);
const news=[...fresh.childNodes];
while(old.childNodes.length>news.length)old.lastChild.remove();
news.forEach((n,i)=>old.childNodes[i]?bring(old.childNodes[i],n):old.append(n));
if(at>=0&&old===document.activeElement)point(old);
};
const refresh=async()=>{
if(document.hidden)return;
let since;
try{
const answer=await fetch(location.href,{cache:"no-cache",credentials:"omit"});
if(!answer.ok)throw answer.status;
const page=new DOMParser().parseFromString(await answer.text(),"text/html"),fresh=page.querySelector("main"),made=fresh.querySelector(".made time");
if(Date.parse(answer.headers.get("date"))-Date.parse(made.dateTime)>60000)since=made;
tell(fresh);
if(since)warn(fresh,since);
document.title=page.title;
document.querySelector("link[rel=icon]").href=page.querySelector("link[rel=icon]").href;
bring(main,document.adoptNode(fresh));
}catch{warn(main,main.querySelector(".made time"))}
};
const warn=(root,{textContent})=>{
const words="This page is out of date: it shows the state of "+textContent+".",place=root.querySelector(".stale");
if(place.textContent!==words)place.textContent=words;
};
tell(main);
setInterval(refresh,15000);
document.addEventListener("visibilitychange",refresh);
})();
`;
