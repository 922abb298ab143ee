'use strict';
(() => {
  const $ = (query, from = document) => from.querySelector(query);
  const $$ = (query, from = document) => [...from.querySelectorAll(query)];
  const by = (id) => document.getElementById(id);
  const root = document.documentElement;
  const graph = by('graph'), panel = by('panel'), box = by('q'), hits = by('hits'), first = by('activation');
  const parts = $$('main>section'), tabs = $$('nav a');
  const cards = new Map($$('.c', graph).map((card) => [card.dataset.n, card]));
  const edges = new Map($$('.w', graph).map((edge) => [edge.dataset.e, edge]));
  const children = new Map();
  const row = (n) => by('n' + n);
  const parent = (n) => row(n).dataset.p;
  for (const n of cards.keys()) {
    const above = cards.has(parent(n)) ? parent(n) : '';
    children.set(above, [...(children.get(above) || []), n]);
  }
  // As they stand from top to bottom.
  const order = [];
  for (const open = [...(children.get('') || [])].reverse(); open.length;) {
    const n = open.pop();
    order.push(n);
    open.push(...[...(children.get(n) || [])].reverse());
  }
  let at = null, found = [], next = 0;

  // Parts: one at a time, as the address says.
  const current = () => parts.find((part) => !part.hidden);
  function show(part) {
    for (const other of parts) other.hidden = other !== part;
    for (const tab of tabs) {
      if (tab.hash === '#' + part.id) tab.setAttribute('aria-current', 'true');
      else tab.removeAttribute('aria-current');
    }
    search();
  }
  function mode(isGraph) {
    first.classList.toggle('graph-mode', isGraph);
    first.classList.toggle('list-mode', !isGraph);
    by('mode').textContent = isGraph ? 'List' : 'Graph';
  }
  const isGraph = () => first.classList.contains('graph-mode');

  // Lines of code get their numbers when they are looked at.
  function number(pre) {
    if ($('.no', pre)) return;
    const code = $('code', pre), start = Number(pre.dataset.first);
    const count = code.textContent.replace(/\n$/, '').split('\n').length;
    const numbers = document.createElement('span');
    numbers.className = 'no';
    numbers.setAttribute('aria-hidden', 'true');
    numbers.textContent = Array.from({ length: count }, (_, line) => start + line).join('\n');
    pre.prepend(numbers);
  }
  document.addEventListener('toggle', (event) => {
    if (event.target.open) $$('pre[data-first]', event.target).forEach(number);
  }, true);

  // The way of energy to a node, from its seed on.
  function way(n) {
    const nodes = [];
    for (let next = n; next !== undefined && !nodes.includes(next); next = parent(next)) nodes.unshift(next);
    return nodes;
  }
  // A proof goes on from that of the parent, unless it stands by itself.
  function proof(n) {
    const lines = [];
    for (const node of way(n).reverse()) {
      lines.unshift(...$$('.proof>li', row(node)).map((line) => line.cloneNode(true)));
      if (row(node).hasAttribute('data-w')) break;
    }
    return lines;
  }
  function make(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }
  function pick(n, isFocused) {
    at = n;
    const on = new Set(way(n));
    graph.classList.add('picked');
    for (const [node, card] of cards) {
      card.classList.toggle('on', on.has(node));
      card.classList.toggle('at', node === n);
      card.tabIndex = node === n ? 0 : -1;
    }
    const above = $('.c', graph);
    for (const [node, edge] of edges) {
      edge.classList.toggle('on', on.has(node));
      // Others of the same parent go the same way down.
      if (on.has(node)) above.before(edge);
    }
    const entry = row(n), body = $('.body', entry).cloneNode(true);
    $('.proof', body).replaceChildren(...proof(n));
    $$('.from', body).forEach((line) => line.remove());
    const close = make('button', 'close', 'Close');
    close.type = 'button';
    close.addEventListener('click', drop);
    panel.replaceChildren(close, make('h3', 'name', $('.name', entry).textContent), make('p', 'place', $('.place', entry).textContent), make('p', 'what', $('.why', entry).textContent), body);
    $$('pre[data-first]', panel).forEach(number);
    panel.hidden = false;
    panel.scrollTop = 0;
    const card = cards.get(n);
    if (card) {
      // On a phone what is picked must not lie below the sheet.
      const isNarrow = matchMedia('(max-width:760px)').matches;
      card.scrollIntoView({ block: isNarrow ? 'start' : 'nearest', inline: 'nearest' });
      if (isFocused) card.focus({ preventScroll: true });
    }
    history.replaceState(null, '', '#n' + n);
  }
  function drop() {
    const card = cards.get(at);
    panel.hidden = true;
    graph.classList.remove('picked');
    $$('.on,.at', graph).forEach((one) => one.classList.remove('on', 'at'));
    at = null;
    if (card) card.focus();
    history.replaceState(null, '', '#activation');
  }

  // What an address names: a part, a node, a module.
  function go(hash, isFocused) {
    const target = by(hash.slice(1));
    if (!target) return false;
    show(target.closest('main>section') || first);
    if (target.tagName !== 'DETAILS') {
      scrollTo(0, 0);
      return true;
    }
    const n = target.id.slice(1);
    if (target.id[0] === 'n' && isGraph() && cards.has(n)) {
      pick(n, isFocused);
    } else {
      if (target.id[0] === 'n' && isGraph()) mode(false);
      target.open = true;
      $('summary', target).focus({ preventScroll: true });
      target.scrollIntoView({ block: 'nearest' });
    }
    return true;
  }
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const hash = link.getAttribute('href');
    if (go(hash, true)) {
      event.preventDefault();
      history.replaceState(null, '', hash);
    }
  });

  // Search: what does not match steps back.
  const texts = new WeakMap();
  function text(element) {
    if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
    return texts.get(element);
  }
  const searched = new Set();
  function search() {
    const words = box.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const has = (element) => words.every((word) => text(element).includes(word));
    const part = current();
    hits.textContent = '';
    if (!words.length && !searched.has(part)) return;
    if (words.length) searched.add(part);
    else searched.delete(part);
    found = [];
    next = 0;
    let total = 0;
    if (part === first) {
      for (const entry of $$('#list>li>details')) {
        const n = entry.id.slice(1), isHit = has($('summary', entry));
        total += 1;
        entry.parentElement.hidden = !isHit;
        if (cards.has(n)) cards.get(n).classList.toggle('dim', !isHit);
        if (edges.has(n)) edges.get(n).classList.toggle('dim', words.length > 0);
        if (isHit) found.push(entry);
      }
    } else {
      for (const entry of $$('[data-q]', part)) {
        const isHit = has(entry);
        total += 1;
        entry.hidden = !isHit;
        if (isHit) found.push(entry);
      }
    }
    hits.textContent = words.length ? found.length + ' of ' + total : '';
  }
  function hit() {
    if (!box.value.trim() || !found.length) return;
    const entry = found[next % found.length];
    next += 1;
    if (entry.id && current() === first) {
      const n = entry.id.slice(1);
      if (isGraph() && cards.has(n)) pick(n, false);
      else go('#' + entry.id, false);
      box.focus();
    } else {
      entry.scrollIntoView({ block: 'center' });
    }
  }
  box.addEventListener('input', search);

  // Keys.
  function move(key) {
    const n = at ?? children.get('')?.[0];
    if (n === undefined) return;
    const column = order.filter((other) => way(other).length === way(n).length);
    let to = n;
    if (at === null) to = n;
    else if (key === 'ArrowLeft') to = cards.has(parent(n)) ? parent(n) : n;
    else if (key === 'ArrowRight') to = (children.get(n) || [n])[0];
    else to = column[column.indexOf(n) + (key === 'ArrowDown' ? 1 : -1)] ?? n;
    pick(to, true);
  }
  function dark() {
    const now = root.dataset.theme || (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
    root.dataset.theme = now === 'dark' ? 'light' : 'dark';
    by('theme').textContent = now === 'dark' ? 'Dark' : 'Light';
  }
  const keys = by('keys');
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    const { key } = event;
    if (event.target === box) {
      if (key === 'Enter') hit();
      if (key === 'Escape') {
        box.value = '';
        search();
        box.blur();
      }
      return;
    }
    if (key === '/') box.focus();
    else if (key >= '1' && key <= String(tabs.length)) go(tabs[key - 1].hash, false);
    else if (key === 'g' && current() === first) mode(!isGraph());
    else if (key === 't') dark();
    else if (key === '?') keys.showModal();
    else if (key === 'Escape' && at !== null) drop();
    else if (key.startsWith('Arrow') && current() === first && isGraph() && !panel.contains(event.target)) move(key);
    else if (key === 'Enter' && event.target.closest?.('.c')) panel.focus();
    else return;
    event.preventDefault();
  });
  by('mode').addEventListener('click', () => mode(!isGraph()));
  by('theme').addEventListener('click', dark);
  by('help').addEventListener('click', () => keys.showModal());
  by('keys-close').addEventListener('click', () => keys.close());

  root.classList.add('js');
  by('buttons').hidden = false;
  by('mode').hidden = !cards.size;
  if (matchMedia('(prefers-color-scheme:dark)').matches) by('theme').textContent = 'Light';
  mode(cards.size > 0 && !matchMedia('(max-width:760px)').matches);
  show(first);
  const start = children.get('')?.[0];
  if (start !== undefined) cards.get(start).tabIndex = 0;
  if (location.hash) go(location.hash, false);
  addEventListener('hashchange', () => go(location.hash, false));
})();
