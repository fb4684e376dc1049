/** Operators as what a condition says of its value. */
const words: Readonly<Record<string, string>> = {
  truthy: 'is set',
  falsy: 'is not set',
  exists: 'is there, even if empty',
  not_exists: 'is missing',
  empty: 'is empty or missing',
  not_empty: 'is not empty',
  eq: 'is',
  ne: 'is not',
  gt: 'is more or later than',
  gte: 'is at least',
  lt: 'is less or earlier than',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is not one of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'begins with',
  ends_with: 'ends with',
};

/** What an operator says of a value; one that is not known is shown as it is. */
export const operatorWords = (operator: string): string => words[operator] ?? operator.replaceAll('_', ' ');

/** Operators whose value is a list. */
export const takesList = (operator: string): boolean => operator === 'in' || operator === 'not_in';
