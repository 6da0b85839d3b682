/**
 * The only script of a page, at most 1 KB: the menu of narrow screens, the count of the view, and tracking once the
 * visitor allows it. Without the script, the menu is always open and everything else works. Differences between pages
 * are in attributes, so that one digest allows the script in every page's policy. Its own ids have a capital letter,
 * which no block's id can have.
 */
export const pageScript = `(()=>{let d=document,h=d.documentElement,s=h.dataset,w=window,add=u=>{let e=d.createElement("script");e.src=u;d.head.append(e)};h.className="js";addEventListener("DOMContentLoaded",()=>{let b=w.siteMenu,c=w.siteConsent,load=()=>{let g=[s.analytics,s.ads].filter(x=>x);if(g[0]){w.dataLayer=[];w.gtag=function(){dataLayer.push(arguments)};gtag("js",new Date);g.map(i=>gtag("config",i));add("https://www.googletagmanager.com/gtag/js?id="+g[0])}if(s.pixel){let f=w.fbq=function(){f.queue.push(arguments)};f.queue=[];f.version="2.0";fbq("init",s.pixel);fbq("track","PageView");add("https://connect.facebook.net/en_US/fbevents.js")}};if(b)b.onclick=()=>b.ariaExpanded=h.classList.toggle("open");if(c){let k=localStorage.consent;k=="y"?load():c.hidden=k=="n";c.onclick=e=>{let v=e.target.value;if(v){localStorage.consent=v;c.hidden=1;v=="y"&&load()}}}if(s.hit)navigator.sendBeacon("/_/hit",new URLSearchParams({path:location.pathname,query:location.search,referrer:d.referrer,variant:s.hit}))})})()`

/**
 * The script of a page in a frame on another site. It reports the height that the frame should have, and counts the
 * view. It does not know which site that is, and the height is no secret.
 */
export const embedScript = `(()=>{let h=document.documentElement,s=h.dataset;h.className="js";addEventListener("DOMContentLoaded",()=>{new ResizeObserver(()=>parent.postMessage({siteHeight:h.offsetHeight},"*")).observe(h);if(s.hit)navigator.sendBeacon("/_/hit",new URLSearchParams({path:location.pathname,query:location.search,referrer:document.referrer,variant:s.hit}))})})()`
