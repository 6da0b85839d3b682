/**
 * All that a page runs, at most 1 KB: the menu of narrow screens, the count of the view, and tracking once it is allowed.
 * Without it the menu stands open and the rest works. What differs it reads from attributes, so that one digest names it
 * in every page's policy. Its own ids have a capital letter, which no block's can.
 */
export const pageScript = `(()=>{let d=document,h=d.documentElement,s=h.dataset,w=window,add=u=>{let e=d.createElement("script");e.src=u;d.head.append(e)};h.className="js";addEventListener("DOMContentLoaded",()=>{let b=w.siteMenu,c=w.siteConsent,load=()=>{let g=[s.analytics,s.ads].filter(x=>x);if(g[0]){w.dataLayer=[];w.gtag=function(){dataLayer.push(arguments)};gtag("js",new Date);g.map(i=>gtag("config",i));add("https://www.googletagmanager.com/gtag/js?id="+g[0])}if(s.pixel){let f=w.fbq=function(){f.queue.push(arguments)};f.queue=[];f.version="2.0";fbq("init",s.pixel);fbq("track","PageView");add("https://connect.facebook.net/en_US/fbevents.js")}};if(b)b.onclick=()=>b.ariaExpanded=h.classList.toggle("open");if(c){let k=localStorage.consent;k=="y"?load():c.hidden=k=="n";c.onclick=e=>{let v=e.target.value;if(v){localStorage.consent=v;c.hidden=1;v=="y"&&load()}}}if(s.hit)navigator.sendBeacon("/_/hit",new URLSearchParams({path:location.pathname,query:location.search,referrer:d.referrer,variant:s.hit}))})})()`

/**
 * What runs in a frame on another site, and no more: the height that the frame should have, and the count of the view.
 * Which site that is nobody here knows, and the height is no secret.
 */
export const embedScript = `(()=>{let h=document.documentElement,s=h.dataset;h.className="js";addEventListener("DOMContentLoaded",()=>{new ResizeObserver(()=>parent.postMessage({siteHeight:h.offsetHeight},"*")).observe(h);if(s.hit)navigator.sendBeacon("/_/hit",new URLSearchParams({path:location.pathname,query:location.search,referrer:document.referrer,variant:s.hit}))})})()`
