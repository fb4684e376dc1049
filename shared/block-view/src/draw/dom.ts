/** What an element may hold. Absent children are left out. */
export type Child = Node | string | undefined | null | readonly Child[];

/** Attributes by name. Absent (`undefined`, `null`, `false`) ones are left out, `true` ones are bare. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | null>>;

/** Makes an element. Text reaches the page through text nodes alone, so nothing in a message can become markup. */
export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an element of a drawing, as `el` does. */
export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[T] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child);

function present(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (isList(child)) return present(child);
    return child === undefined || child === null ? [] : [child];
  });
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Whether an address may be put into a link: no scheme that runs code. */
export function isSafeUrl(url: string): boolean {
  return /^(https?:\/\/|mailto:|tel:)/i.test(url);
}

/** A link that opens elsewhere, or its text alone when the address is not safe. */
export function link(url: string, attributes: Attributes, ...children: Child[]): HTMLElement {
  if (!isSafeUrl(url)) return el('span', { ...attributes, title: url }, ...children);
  return el('a', { ...attributes, href: url, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}
