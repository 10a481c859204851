// The extraction script: one look at one page.
//
// It is one function, evaluated once per check inside the page. It waits until
// the page has settled and then hands over what a person could see there: the
// elements that carry text, links, pictures or form fields, in page order, with
// their parents. It decides nothing. Which links are listings, what a price is
// and whether the page was refused is decided in Go, where it has tables and
// tests.
//
// The result is a JSON string, because a string crosses from the browser to the
// program many times faster than a tree of objects.
//
// options:
//   settle_ms  longest wait for the page to settle; 0: do not wait at all
//   quiet_ms   how long the listing count must stay the same
//   scroll     the portal adds listings as one scrolls
//   marks      name -> CSS selectors; elements that match carry the name
//   hints      source of a regular expression: only class names, ids and test
//              ids that match it are handed over, as most of them mean nothing
//   max_nodes  the most elements and texts that are handed over
async (options) => {
  // Elements that show nothing themselves.
  const skipped = new Set(['script', 'style', 'template', 'svg', 'head', 'link', 'meta', 'object', 'canvas', 'audio', 'video', 'option']);
  // data- attributes whose names promise a fact rather than wiring.
  const telling = /(^data-|[-_])(id|adid|url|href|link|price|days?|age|date|published|created|size|area|rooms?|title|brand|status|count|total)([-_]|$)|days/;
  // Attributes that name a thing for those who do not see it, and attributes that
  // hold a picture's address: first those for when it scrolls into view, as the
  // others may hold a blurred one until then.
  const labels = new Set(['aria-label', 'alt', 'title', 'placeholder']);
  const pictures = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy', 'data-srcset', 'srcset', 'src'];
  const fields = new Set(['form', 'iframe', 'noscript', 'input', 'button', 'select', 'textarea']);
  const started = performance.now();
  const settling = options.settle_ms > 0 ? await settle() : { settled: true, waited_ms: 0 };
  return JSON.stringify({ ...settling, ...describeDocument(), ...describeElements() });

  // Settling
  //
  // A fixed sleep is too long on a quick page and too short on a slow one, and
  // network idle never comes on a page with advertisements. What counts is the
  // number of listings: it is stable when it has not changed for a while.
  async function settle() {
    const deadline = started + options.settle_ms;
    let last = signature();
    let changed = started;
    let dirty = false;
    let screens = 0;
    const seen = { links: new Set(), virtual: false, screens: [], nodes: 0 };
    const observer = new MutationObserver(() => { dirty = true; });
    observer.observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: ['href', 'aria-busy'] });
    try {
      for (;;) {
        // What has happened is looked at before the clock is: on a busy machine both
        // the page's timers and this one are late.
        if (dirty) {
          dirty = false;
          const current = signature();
          if (current.text !== last.text) changed = performance.now();
          last = current;
        }
        const now = performance.now();
        const quiet = quietFor(last, screens);
        if (now - changed >= quiet) {
          const again = options.scroll && remember(seen);
          if (!again && (!options.scroll || screens >= 80 || !scrollOn())) return { ...waited(true), screens: seen.screens };
          screens++;
          changed = now;
        }
        if (now >= deadline) return { ...waited(false), screens: seen.screens };
        await new Promise((resolve) => setTimeout(resolve, Math.min(50, Math.max(1, changed + quiet - now))));
      }
    } finally {
      observer.disconnect();
      if (screens > 0) for (const e of scrollers()) e.scrollTop = 0;
    }
  }

  function waited(settled) {
    return { settled, waited_ms: Math.round(performance.now() - started) };
  }

  // The listing count, as far as it can be told without knowing the site: the
  // links that differ only in a number or a long token, amounts of money, and
  // placeholders that wait to be replaced. Texts as such do not count, or a clock
  // on the page would keep it from ever settling.
  function signature() {
    const alike = new Map();
    for (const a of document.links) {
      const shape = a.pathname.replace(/[^/]*\d[^/]*/g, '#').replace(/[^/]*-[^/]*/g, '*');
      if (!alike.has(shape)) alike.set(shape, new Set());
      alike.get(shape).add(a.pathname + a.search);
    }
    let count = 0;
    for (const [shape, links] of alike) if (/[#*]/.test(shape)) count = Math.max(count, links.size);
    const amounts = (element) => (element.textContent.match(/[€£$]|\b(?:EUR|CHF|GBP|USD|kr)\b|zł|Kč/g) || []).length;
    let money = document.body ? amounts(document.body) : 0;
    for (const code of document.querySelectorAll('body script, body style')) money -= amounts(code);
    const waiting = [...document.querySelectorAll(
      '[aria-busy="true"], [class*="skeleton" i], [class*="shimmer" i], [class*="placeholder-card" i]')].filter(visible).length;
    return { count, waiting, text: `${count} ${money} ${waiting}` };
  }

  // How long a count must stand still before it is believed. A page without a
  // single candidate has most likely not been filled yet, one with a few may get
  // its rest in a second burst, and placeholders say so themselves.
  function quietFor({ count, waiting }, screens) {
    if (document.readyState === 'loading') return Infinity;
    if (waiting > 0 && count < 3) return options.settle_ms;
    if (screens > 0) return options.quiet_ms / 2;
    if (count === 0) return options.quiet_ms * 6;
    if (count < 8 || waiting > 0) return options.quiet_ms * 5;
    return options.quiet_ms;
  }

  // What scrolls: the document, and the box with most links of those that scroll by
  // themselves.
  function scrollers() {
    const boxes = [...document.querySelectorAll('body *')].filter((e) => e.scrollHeight > e.clientHeight + 1
      && e.clientHeight > 0 && /auto|scroll/.test(getComputedStyle(e).overflowY));
    const links = (e) => e.querySelectorAll('a[href]').length;
    boxes.sort((a, b) => links(b) - links(a));
    return [document.scrollingElement, ...boxes.slice(0, 1)].filter(Boolean);
  }

  // Scrolls one screen further, and says whether there was further to go.
  function scrollOn() {
    return scrollers().map((e) => {
      const before = e.scrollTop;
      e.scrollTop += e.clientHeight * 0.9;
      return e.scrollTop > before + 1;
    }).some(Boolean);
  }

  // Before a screen is scrolled away: a list that takes out what nobody sees is gone
  // through again from its top, and each screen is kept.
  function remember(seen) {
    const links = new Set([...document.links].map((a) => a.href));
    if (!seen.virtual && [...seen.links].some((href) => !links.has(href))) {
      seen.virtual = true;
      for (const e of scrollers()) e.scrollTop = 0;
      return true;
    }
    if (seen.virtual && seen.nodes < options.max_nodes) {
      const { nodes } = describeElements();
      seen.nodes += nodes.length;
      seen.screens.push(nodes);
    }
    seen.links = links;
    return false;
  }

  // The document as a whole.
  function describeDocument() {
    const scripts = [];
    let state = 0;
    for (const script of document.scripts) {
      if (script.src) scripts.push(cut(script.src, 200));
      else state += script.textContent.length;
    }
    const marks = {};
    for (const [name, selectors] of Object.entries(options.marks || {})) {
      marks[name] = selectors.filter((selector) => matches(selector).length > 0);
    }
    return {
      url: location.href,
      base: document.baseURI,
      title: cut(document.title, 300),
      lang: document.documentElement ? document.documentElement.lang : '',
      scripts: scripts.slice(0, 100),
      state_chars: state,
      state: clickable() ? addresses() : [],
      marks,
    };
  }

  // Whether something that looks like a card is clicked by script alone.
  function clickable() {
    const likely = document.querySelectorAll('[role="link"],[role="button"],button,[tabindex],li,article,tr');
    return [...likely].some((e) => (e.matches('[role="link"]') || e.querySelector('img,picture')) && !e.querySelector('a[href]') && !e.closest('a') &&
      e.textContent.length < 2000 && /\d.*[€£$円]|[€£$].*\d|\d.*(EUR|CHF|zł|Kč|kr|сум)/.test(e.textContent));
  }

  // The addresses in the page's data, with the short values beside each. The
  // document stays the truth; this only supplies a link where it has none.
  function addresses() {
    const out = [];
    for (const script of document.querySelectorAll('script[type*="json"]')) {
      if (script.textContent.length > 3e6) continue;
      let data;
      try { data = JSON.parse(script.textContent); } catch { continue; }
      for (const stack = [data]; stack.length > 0 && out.length < 500;) {
        const value = stack.pop();
        if (!value || typeof value !== 'object') continue;
        let address = '';
        const beside = [];
        for (const [key, part] of Array.isArray(value) ? [] : Object.entries(value)) {
          if (typeof part === 'string' && /url|href|link|path|@id/i.test(key) && /^(https?:\/)?\/|[?]/.test(part)) address = address || part;
          else if (/^(string|number)$/.test(typeof part) && String(part).length < 200) beside.push(String(part));
        }
        if (address) out.push({ u: cut(address, 500), k: beside.slice(0, 20) });
        stack.push(...Object.values(value).reverse());
      }
    }
    return out;
  }

  // The elements, in page order. Whatever carries nothing, and holds nothing that
  // does, is left out.
  function describeElements() {
    const marked = new Map();
    for (const [name, selectors] of Object.entries(options.marks || {})) {
      for (const selector of selectors) {
        for (const element of matches(selector)) {
          const names = marked.get(element) || [];
          if (!names.includes(name)) names.push(name);
          marked.set(element, names);
        }
      }
    }
    const hints = new RegExp(options.hints || '(?!)', 'i');
    const nodes = [];
    const limit = options.max_nodes || 60000;
    let cutOff = false;
    if (document.body) walk(document.body);
    return { nodes: prune(nodes), cut: cutOff };

    // An explicit stack instead of recursion: pages with thousands of nested
    // elements exist, and a stack overflow would lose the page.
    function walk(root) {
      const stack = [[root, -1, false]];
      while (stack.length > 0) {
        if (nodes.length >= limit) { cutOff = true; return; }
        const [node, parent, hidden] = stack.pop();
        if (node.nodeType === Node.TEXT_NODE) {
          addText(node.data.replace(/[ \t\r\n\f]+/g, ' '), parent, hidden);
          continue;
        }
        const tag = node.localName;
        if (skipped.has(tag)) continue;
        if (tag === 'br') {
          addText('\n', parent, hidden);
          continue;
        }
        const record = describe(node, tag, parent);
        const unseen = hidden || !visible(node);
        if (unseen) record.x = 1;
        if (marked.has(node)) record.m = marked.get(node);
        const index = nodes.push(record) - 1;
        if (tag === 'noscript' && !node.firstElementChild) continue;
        const frame = tag === 'iframe' && node.contentDocument; // null for one of another site
        if (frame && frame.body) stack.push([frame.body, index, unseen]);
        const children = shown(node);
        for (let i = children.length - 1; i >= 0; i--) {
          const type = children[i].nodeType;
          if (type === Node.ELEMENT_NODE || type === Node.TEXT_NODE) stack.push([children[i], index, unseen]);
        }
      }
    }

    // What stands inside an element on the screen: for a web component what its shadow
    // holds, with the component's own children at its slots.
    function shown(node) {
      if (node.shadowRoot) return node.shadowRoot.childNodes;
      const slotted = node.localName === 'slot' ? node.assignedNodes() : [];
      return slotted.length > 0 ? slotted : node.childNodes;
    }

    // A text that nobody sees says nothing, while a hidden link may be the one
    // behind a fold. Frameworks split one text into several nodes with comments
    // between them ("£1,800", " pcm"): they are one text again here.
    function addText(text, parent, hidden) {
      if (hidden || text === '' || text === ' ') return;
      const previous = nodes[nodes.length - 1];
      if (previous && previous.t === undefined && previous.p === parent) previous.s = cut(previous.s + text, 2000);
      else if (text !== '\n') nodes.push({ p: parent, s: cut(text, 2000) });
    }

    // Reads each attribute once, by its name: pages have tens of thousands of them,
    // and node.attributes would make an object of each.
    function describe(node, tag, parent) {
      const record = { p: parent, t: tag };
      let hint = '';
      for (const name of node.getAttributeNames()) {
        const value = node.getAttribute(name);
        if (!value) continue;
        if (name === 'class' || name === 'id' || name === 'data-testid' || name === 'data-test') {
          if (hints.test(value)) hint += ' ' + value;
        } else if (name === 'href') {
          if (tag === 'a' || tag === 'area') record.h = cut(String(node.href), 2000);
        } else if (name === 'style') {
          if (value.includes('url(')) record.b = background(value);
        } else if (labels.has(name)) {
          record.a = record.a || cut(value, 300);
        } else if (name === 'role') {
          record.o = value;
        } else if (name === 'rel') {
          record.r = value;
        } else if (name === 'datetime' && tag === 'time') {
          record.v = cut(value, 60);
        } else if (name === 'onclick') {
          (record.d = record.d || {})[name] = cut(value, 300);
        } else if (name.startsWith('data-') && value.length <= 300 && telling.test(name)) {
          (record.d = record.d || {})[name.slice(5)] = value;
        }
      }
      if (tag === 'img' || tag === 'source') {
        const sources = pictures.map((name) => node.getAttribute(name)).filter((value) => value && !value.startsWith('data:'));
        if (sources.length > 0) record.i = sources.map((value) => largest(cut(value, 1000)));
      }
      if (hint) record.c = cut(hint.trim(), 400);
      if (fields.has(tag)) describeField(node, tag, record);
      return record;
    }

    function describeField(node, tag, record) {
      if (tag === 'form') {
        record.h = cut(node.getAttribute('action') || '', 500);
        record.y = 'form';
      } else if (tag === 'iframe') {
        record.h = cut(node.src || '', 500);
        if (!node.contentDocument && node.clientWidth >= 400 && node.clientHeight >= 300) record.y = 'large';
      } else if (tag === 'noscript') {
        // With scripts on, what is inside is text.
        const inside = node.firstElementChild ? '' : node.textContent;
        const picture = /<(?:img|source)[^>]*?\s(?:src|srcset)\s*=\s*["']([^"']+)/i.exec(inside);
        if (picture) record.i = [largest(cut(picture[1].replaceAll('&amp;', '&'), 1000))];
      } else {
        record.y = node.type || '';
        if (node.name) record.v = cut(node.name, 60);
        if (tag === 'input' && /^(submit|button)$/.test(record.y)) record.s = cut(node.value, 100);
      }
    }
  }

  // Leaves out what carries nothing, from the end to the beginning, so that a
  // wrapper of nothing goes as well.
  function prune(nodes) {
    const kept = new Array(nodes.length).fill(false);
    for (let i = nodes.length - 1; i >= 0; i--) {
      const { p, t, s, h, i: images, y, b, m, a, c, d } = nodes[i];
      if (s || h || images || y || b || m || a || c || d || t === 'td' || t === 'th') kept[i] = true; // an empty cell is a column too
      if (kept[i] && p >= 0) kept[p] = true;
    }
    const place = [];
    const out = [];
    nodes.forEach((node, i) => {
      if (!kept[i]) return;
      place[i] = out.length;
      if (node.p >= 0) node.p = place[node.p];
      out.push(node);
    });
    return out;
  }

  // A style from its first picture on. One that is written out in the style itself
  // is long and leads nowhere.
  function background(style) {
    const picture = cut(style.slice(style.indexOf('url(')), 1000);
    return /^url\(\s*["']?data:/.test(picture) ? 'url(data:)' : picture;
  }

  // The address of the largest picture of a source, which may name one picture in
  // up to twenty sizes.
  function largest(source) {
    let best = '';
    let width = -1;
    for (const part of source.trim().split(/,\s+|(?<=\s[\d.]+[wx]),/)) {
      const [address, ...size] = part.replace(/^[ ,\n\t]+|[ ,\n\t]+$/g, '').split(' ');
      const own = Number(size.join(' ').trim().replace(/[wx]+$/, '')) || 0;
      if (address && own > width) [best, width] = [address, own];
    }
    return best;
  }

  // A selector that this browser does not know must not lose the page.
  function matches(selector) {
    try { return document.querySelectorAll(selector); } catch { return []; }
  }

  function visible(element) {
    if (element.hidden) return false;
    if (!element.checkVisibility || element.checkVisibility({ visibilityProperty: true })) return true;
    return getComputedStyle(element).display === 'contents'; // no box of its own, but what is inside has
  }

  function cut(text, length) {
    return text.length > length ? text.slice(0, length) : text;
  }
}
