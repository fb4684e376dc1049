const heading = (version: string): RegExp =>
  new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\](?: - \\d{4}-\\d{2}-\\d{2})?$`, 'm');

/**
 * The notes of a release: the section under its heading in a changelog in the form of Keep a Changelog.
 * @throws an Error when the version has no heading, or an empty section
 */
export const notesOf = (changelog: string, version: string): string => {
  const found = heading(version).exec(changelog);
  if (!found) throw new Error(`CHANGELOG.md has no section "## [${version}]"`);
  const rest = changelog.slice(found.index + found[0].length);
  const end = rest.search(/^(?:## |\[[^\]]+\]: )/m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (notes === '') throw new Error(`CHANGELOG.md has nothing under "## [${version}]"`);
  return `${notes}\n`;
};
