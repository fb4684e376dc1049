/** A statement of a store, as its source says it. */
export interface SourceStatement {
  name: string;
  text: string;
  /** The job that it wakes. */
  wakes: string | undefined;
  /** Columns that it compares with the clock of the database. */
  compared: string[];
}

const declared =
  /\bstatement(?:<[^()]*?>)?\(\s*(['`])(.+?)\1,\s*(['"`])([\s\S]*?)\3(?:,\s*(\{[^{}]*\}))?,?\s*\)/g;
/** A deletion of old rows is declared by its parts. */
const declaredDeletion = /\bdeletion\(\s*(['`])(.+?)\1,\s*(\{)([\s\S]*?)\n\}\)/g;

/** Columns are named after their moment throughout. */
const moment = String.raw`(?:\w+\.)?(\w+_(?:at|end|until)|at|day)`;
const parameter = String.raw`\$\d+(?:::\w+)?`;
const databaseClock = String.raw`\(?(?:select )?(?:clock_timestamp|statement_timestamp|now)\(`;

const comparedWithClock = new RegExp(String.raw`\b${moment}\s*[<>]=?\s*${databaseClock}`, 'g');
const comparedWithParameter = new RegExp(
  String.raw`\b${moment}\s*[<>]=?\s*${parameter}|${parameter}\s*[<>]=?\s*${moment}\b`,
);

/** The statements that a source declares. */
export const statementsIn = (source: string): SourceStatement[] =>
  [...source.matchAll(declared), ...source.matchAll(declaredDeletion)].map(
    ([, , name = '', , text = '', options]) => ({
      name,
      text,
      wakes: options?.match(/wakes: '([\w-]+)'/)?.[1],
      compared: [...text.matchAll(comparedWithClock)].map((match) => match[1] ?? ''),
    }),
  );

/** True when a statement compares a column of time with a parameter. */
export const readsPassedMoment = (text: string): boolean => comparedWithParameter.test(text);

/** The parts of a list at its top level. */
const partsOf = (list: string): string[] => {
  const parts = [''];
  let depth = 0;
  for (const letter of list) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((it) => it.trim());
};

const inserted =
  /insert into \w+(?: as \w+)?\s*\(([^)]*)\)\s*(?:values\s*\(([\s\S]*?)\)\s*(?:on conflict|returning|$)|select\s+([\s\S]*?)\s+from\b)/g;

const isPassed = (expression: string): boolean => /^(?:coalesce\()?\$\d+/.test(expression);

/** True when a statement writes one of the columns from a parameter. */
export const writesPassedMoment = (text: string, columns: ReadonlySet<string>): boolean => {
  for (const column of columns) {
    if (new RegExp(String.raw`\b${column}\s*=\s*(?:coalesce\(\s*)?\$\d`).test(text)) return true;
  }
  for (const [, names = '', values, selected] of text.matchAll(inserted)) {
    const expressions = partsOf(values ?? selected ?? '');
    const passed = partsOf(names).filter((_, at) => isPassed(expressions[at] ?? ''));
    if (passed.some((name) => columns.has(name))) return true;
  }
  return false;
};

/** True when a source compares through the ORM. */
export const ormComparisons = (source: string): boolean => /\b(?:Less|More)Than(?:OrEqual)?\(/.test(source);

/** True when a source reads the clock of its process. */
export const processClocks = (source: string): boolean =>
  /\bDate\.now\(|\bnew Date\(\)|\bclock\.now\(/.test(source);
