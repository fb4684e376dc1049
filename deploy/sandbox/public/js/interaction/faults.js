import { el } from '../../block-view/dist/index.js';

const modes = [
  'latency',
  'status',
  'rate_limited',
  'error',
  'reset_before',
  'reset_after',
  'silence_before',
  'silence_after',
];

const numeric = ['latency', 'status', 'rate_limited'];

const choices = (names) => names.map((name) => el('option', { value: name }, name));

function orderOf({ method, mode, value, times }) {
  const order = { method: method.value, mode: mode.value };
  if (value.value !== '' && !mode.value.includes('_before') && !mode.value.includes('_after'))
    order.value = numeric.includes(mode.value) ? Number(value.value) : value.value;
  if (times.value !== '') order.times = Number(times.value);
  return order;
}

function describe({ method, mode, value, remaining }) {
  const often = remaining === null ? 'every time' : `${remaining} more`;
  return [method, mode, value, `(${often})`].filter((part) => part !== undefined).join(' ');
}

/** Draws the panel by which the sandbox is told to misbehave. */
export function renderFaults(root, methods) {
  const parts = {
    method: el('select', { class: 'select', 'aria-label': 'Method' }, choices(methods)),
    mode: el('select', { class: 'select', 'aria-label': 'Mode' }, choices(modes)),
    value: el('input', {
      class: 'field-input',
      'aria-label': 'Value',
      placeholder: 'ms, status, seconds or error',
    }),
    times: el('input', {
      class: 'field-input',
      type: 'number',
      min: 1,
      'aria-label': 'Times',
      placeholder: 'every time',
    }),
  };
  const add = el('button', { class: 'quiet-button', type: 'button' }, 'Add fault');
  const clear = el('button', { class: 'quiet-button', type: 'button' }, 'Behave');
  const list = el('ul', { class: 'fault-list', 'aria-label': 'Faults in force' });
  const said = el('p', { class: 'input-error', role: 'alert' });
  const refresh = async () => {
    const faults = await (await fetch('control/faults')).json();
    list.replaceChildren(...faults.map((fault) => el('li', {}, describe(fault))));
  };
  add.addEventListener('click', async () => {
    const response = await fetch('control/faults', { method: 'POST', body: JSON.stringify(orderOf(parts)) });
    said.textContent = response.ok ? '' : (await response.json()).message;
    await refresh();
  });
  clear.addEventListener('click', async () => {
    await fetch('control/faults', { method: 'DELETE' });
    await refresh();
  });
  root.addEventListener('toggle', refresh);
  root.append(el('div', { class: 'fault-form' }, ...Object.values(parts), add, clear), said, list);
}
