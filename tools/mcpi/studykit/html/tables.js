// SPDX-License-Identifier: BSD-2-Clause
// Tables: a click on a title sorts the rows by that column, the next turns them around, a third
// brings their own order back. An address that names a folded table opens it.
'use strict';
(() => {
  const number = cell => parseFloat(cell.textContent.replaceAll(',', ''));
  // Cells without a number come last, whichever way.
  function compare(a, b, way) {
    const [x, y] = [number(a), number(b)];
    if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
    return way * (isNaN(x) ? a.textContent.localeCompare(b.textContent) : x - y);
  }
  function sort(table, rows, head, column) {
    const order = {none: 'ascending', ascending: 'descending', descending: 'none'}[
      head.getAttribute('aria-sort') ?? 'none'];
    for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
    if (order !== 'none') head.setAttribute('aria-sort', order);
    const way = order === 'descending' ? -1 : 1;
    const shown = [...rows];
    for (const row of rows)
      for (const cell of row.querySelectorAll('[data-same]'))
        cell.textContent = order === 'none' ? '' : cell.dataset.same;
    if (order !== 'none') shown.sort((a, b) => compare(a.cells[column], b.cells[column], way));
    table.tBodies[0].append(...shown);
  }
  for (const table of document.querySelectorAll('table')) {
    const rows = [...table.tBodies[0].rows];
    let at = 0;
    for (const head of table.tHead.rows[0].cells) {
      const column = at;
      at += head.colSpan;
      head.addEventListener('click', () => sort(table, rows, head, column));
      head.addEventListener('keydown', event => {
        if (event.key === 'Enter') sort(table, rows, head, column);
      });
    }
  }
  function open() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folded = named?.querySelector('details');
    if (folded) folded.open = true;
  }
  document.getElementById('unfold')?.addEventListener('click', () => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
  window.addEventListener('hashchange', open);
  open();
})();
