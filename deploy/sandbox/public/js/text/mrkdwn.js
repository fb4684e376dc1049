import { emojiCharacter } from './emoji.js';

/**
 * Reads the platform's mrkdwn into a tree. Nodes are plain objects by `type`:
 * `text` {text}, `bold` `italic` `strike` `quote` {children}, `code` `pre` {text}, `emoji` {name, character},
 * `link` {url, text}, `user` `channel` `usergroup` {id, label}, `broadcast` {range}, `date` {timestamp, pattern, url, fallback}.
 */
export function parseMrkdwn(text) {
  const nodes = [];
  // Odd parts stand between fences.
  text.split(/```([\s\S]+?)```/).forEach((part, index) => {
    if (index % 2 === 1) nodes.push({ type: 'pre', text: decodeEntities(part.replace(/^\n|\n$/g, '')) });
    else nodes.push(...parseLines(part));
  });
  return nodes;
}

/** Reads text in which nothing but emoji shortcodes has a meaning. */
export function parseEmoji(text) {
  const nodes = [];
  for (const part of text.split(/(:[a-z0-9_+'-]+:)/)) {
    const character = /^:.+:$/.test(part) ? emojiCharacter(part.slice(1, -1)) : undefined;
    if (character === undefined) pushText(nodes, part);
    else nodes.push({ type: 'emoji', name: part.slice(1, -1), character });
  }
  return nodes;
}

/** Turns the three entities that the platform escapes back into characters. */
export function decodeEntities(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function parseLines(text) {
  const nodes = [];
  let plain = [];
  let quoted = [];
  const endPlain = () => {
    if (plain.length > 0) nodes.push(...parseInline(plain.join('\n')));
    plain = [];
  };
  const endQuote = () => {
    if (quoted.length > 0) nodes.push({ type: 'quote', children: parseInline(quoted.join('\n')) });
    quoted = [];
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const rest = /^(?:&gt;|>){3}(.*)$/.exec(line);
    if (rest !== null) {
      endPlain();
      quoted.push(rest[1], ...lines.slice(index + 1));
      break;
    }
    const quote = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quote === null) {
      endQuote();
      plain.push(line);
    } else {
      endPlain();
      quoted.push(quote[1]);
    }
  }
  endPlain();
  endQuote();
  return nodes;
}

const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' };

/** Reads one run of text; `code`, entities in angle brackets, styles, emoji and bare addresses have a meaning. */
export function parseInline(text) {
  const nodes = [];
  let index = 0;
  while (index < text.length) {
    const found = readSpecial(text, index);
    if (found === undefined) {
      pushText(nodes, text[index]);
      index += 1;
    } else {
      nodes.push(found.node);
      index = found.end;
    }
  }
  return nodes.map((node) =>
    node.type === 'text' ? { type: 'text', text: decodeEntities(node.text) } : node,
  );
}

function pushText(nodes, text) {
  const last = nodes.at(-1);
  if (text === '') return;
  if (last?.type === 'text') last.text += text;
  else nodes.push({ type: 'text', text });
}

function readSpecial(text, start) {
  const character = text[start];
  if (character === '`') return readCode(text, start);
  if (character === '<') return readBracket(text, start);
  if (character === ':') return readEmoji(text, start);
  if (character === 'h') return readBareUrl(text, start);
  return character in STYLES ? readStyled(text, start) : undefined;
}

/** What a pattern matches exactly at `start`, and where that ends; a pattern never looks past the next mark of its kind. */
function matchAt(text, start, source) {
  const pattern = new RegExp(source, 'y');
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  return found === null ? undefined : { found, end: pattern.lastIndex };
}

function readCode(text, start) {
  const match = matchAt(text, start, /`([^`\n]+)`/);
  return match && { node: { type: 'code', text: decodeEntities(match.found[1]) }, end: match.end };
}

function readEmoji(text, start) {
  const match = matchAt(text, start, /:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/);
  const character = match && emojiCharacter(match.found[1]);
  return character && { node: { type: 'emoji', name: match.found[1], character }, end: match.end };
}

function readBareUrl(text, start) {
  if (/\w/.test(text[start - 1] ?? ' ')) return undefined;
  const match = matchAt(text, start, /https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)*_~]/);
  if (match === undefined) return undefined;
  const url = decodeEntities(match.found[0]);
  return { node: { type: 'link', url, text: url }, end: match.end };
}

function readStyled(text, start) {
  const mark = text[start];
  const opens = /[^\w*_~]|[*_~]/.test(text[start - 1] ?? ' ') && /[^\s]/.test(text[start + 1] ?? ' ');
  if (!opens || text[start + 1] === mark) return undefined;
  const end = closingMark(text, start);
  if (end === -1) return undefined;
  return { node: { type: STYLES[mark], children: parseInline(text.slice(start + 1, end)) }, end: end + 1 };
}

/** Where a style ends: on the same line, after a character and before no other word, outside of code and brackets. */
function closingMark(text, start) {
  const mark = text[start];
  for (let index = start + 1; index < text.length && text[index] !== '\n'; index += 1) {
    const skipped =
      text[index] === '`'
        ? readCode(text, index)
        : text[index] === '<'
          ? readBracket(text, index)
          : undefined;
    if (skipped !== undefined) index = skipped.end - 1;
    else if (text[index] === mark && /\S/.test(text[index - 1]) && !/\w/.test(text[index + 1] ?? ' '))
      return index;
  }
  return -1;
}

function readBracket(text, start) {
  const match = matchAt(text, start, /<([^<>\n]+)>/);
  return match && { node: bracketNode(match.found[1]), end: match.end };
}

function bracketNode(inner) {
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : decodeEntities(inner.slice(bar + 1));
  const id = target.slice(1);
  if (target.startsWith('@')) return { type: 'user', id, label };
  if (target.startsWith('#')) return { type: 'channel', id, label };
  if (target.startsWith('!')) return commandNode(id, label);
  const url = decodeEntities(target);
  return { type: 'link', url, text: label ?? url.replace(/^mailto:/, '') };
}

function commandNode(command, label) {
  const [name, ...rest] = command.split('^');
  if (['here', 'channel', 'everyone'].includes(name)) return { type: 'broadcast', range: name };
  if (name === 'subteam') return { type: 'usergroup', id: rest[0] ?? '', label };
  if (name === 'date') {
    const [timestamp, pattern = '', url] = rest;
    return { type: 'date', timestamp: Number(timestamp), pattern, url, fallback: label };
  }
  return { type: 'text', text: label ?? `<!${command}>` };
}
