/**
 * Makes an element. Text reaches the page through text nodes alone, so nothing in a message can become markup.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] absent (`undefined`, `null`, `false`) ones are left out, `true` ones are bare
 * @param {...unknown} children nodes and texts, also in lists; absent ones are left out
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an element of a drawing, as `el` does. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  const present = children
    .flat(Number.POSITIVE_INFINITY)
    .filter((child) => child !== undefined && child !== null);
  element.append(...present);
  return element;
}

/** Whether an address may be put into a link: no scheme that runs code. */
export function isSafeUrl(url) {
  return /^(https?:\/\/|mailto:|tel:)/i.test(url);
}

/** A link that opens elsewhere, or its text alone when the address is not safe. */
export function link(url, attributes, ...children) {
  if (!isSafeUrl(url)) return el('span', { ...attributes, title: url }, ...children);
  return el('a', { ...attributes, href: url, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
