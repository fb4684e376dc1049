let names = {};

/** Takes the names of channels and people by id. */
export function learnNames(known) {
  names = known;
}

/** The name behind an id, or the id itself when nobody told. */
export function nameOf(id) {
  return names[id] ?? id;
}

/** The known ids that begin so. */
export function idsOf(prefix) {
  return Object.keys(names).filter((id) => id.startsWith(prefix));
}

/** A conversation's title: `#general`, or the person of a direct message. */
export function conversationTitle(id) {
  return id.startsWith('C') ? `#${nameOf(id)}` : nameOf(id);
}

/** The names, and what menus offer of them: for volume there are too many others. */
export function knownNames() {
  const [users, channels, direct] = ['U0', 'C0', 'D0'].map(idsOf);
  return { names, choices: { users, channels, conversations: [...channels, ...direct] } };
}
