import type { z } from 'zod';
import { CodedError, type ValidationIssue } from './errors.ts';

type IssuePath = (string | number)[];

const pathOf = (path: readonly PropertyKey[]): IssuePath =>
  path.map((part) => (typeof part === 'number' ? part : String(part)));

/** Messages for texts of a known format. */
const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  email: 'must be an e-mail address',
  date: 'must be a date, like 2026-01-31',
  datetime: 'must be a time in RFC 3339, like 2026-01-31T09:00:00Z',
};

/** Types of zod in the words of JSON. */
const types: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** What a size counts, by what has it; a number is its own size. */
const counted: Readonly<Record<string, string>> = { array: 'item', string: 'character' };

/** The bound of a size, for instance `must have 1 item or more`; undefined where the schema has a message of its own. */
const boundOf = (issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string | undefined => {
  if (!issue.message.startsWith('Too ') || issue.inclusive === false) return undefined;
  const [bound, beyond] =
    issue.code === 'too_small' ? [issue.minimum, 'or more'] : [issue.maximum, 'at most'];
  const { [issue.origin]: unit } = counted;
  if (unit !== undefined) return `must have ${bound} ${unit}${Number(bound) === 1 ? '' : 's'} ${beyond}`;
  return issue.origin === 'number' || issue.origin === 'int' ? `must be ${bound} ${beyond}` : undefined;
};

const typeMessage = ({ message, expected, path }: z.core.$ZodIssueInvalidType): string => {
  if (message.endsWith('received undefined')) {
    return path.length === 0 ? 'a JSON object is required as the body' : 'is required';
  }
  const { [expected]: type } = types;
  const [, received] = /^Invalid input: .* received (\w+)$/.exec(message) ?? [];
  if (type === undefined || received === undefined) return message;
  return expected === 'int' && received === 'number' ? `must be ${type}` : `must be ${type}, not ${received}`;
};

/** The message of an issue, in the words of JSON; a schema with a message of its own keeps it. */
const messageOf = (issue: z.core.$ZodIssue): string => {
  const { message } = issue;
  const isMissing = 'input' in issue && issue.input === undefined;
  switch (issue.code) {
    case 'invalid_value':
      if (isMissing) return `is required: ${message.replace(/^.*expected /, '')}`;
      return message.replace(/^Invalid (?:option|input): expected /, 'must be ');
    case 'invalid_key':
      return issue.issues[0]?.message ?? message;
    case 'invalid_format':
      return (message.startsWith('Invalid') && formats[issue.format]) || message;
    case 'too_small':
    case 'too_big':
      return boundOf(issue) ?? message;
    case 'invalid_type':
      return typeMessage(issue);
    default:
      return message;
  }
};

const placeOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path);

/** Without the bounds of values of a wrong type: the library measures whatever has a length. */
const meaningful = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] => {
  const mistyped = new Set(issues.filter(({ code }) => code === 'invalid_type').map(placeOf));
  const isBound = ({ code }: z.core.$ZodIssue): boolean => code === 'too_big' || code === 'too_small';
  return issues.filter((issue) => !isBound(issue) || !mistyped.has(placeOf(issue)));
};

/** Most issues that one answer lists; in a request with more, the first hundred show what is wrong. */
export const listedIssues = 100;

/**
 * Zod's issues in the form of the answer; each unknown key is an issue of its own, at its own path. Those that no answer
 * lists are not made: a body can hold tens of thousands, and a refusal costs its client nothing.
 */
export const validationIssues = (issues: readonly z.core.$ZodIssue[]): ValidationIssue[] =>
  // A value of a wrong type may have its bounds in the list as well.
  meaningful(issues.slice(0, 2 * listedIssues)).flatMap((issue): ValidationIssue[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, listedIssues).map((key) => ({
          code: issue.code,
          path: [...pathOf(issue.path), key],
          message: 'is not a key of this request; check the spelling or leave it out',
        }))
      : [{ code: issue.code ?? 'custom', path: pathOf(issue.path), message: messageOf(issue) }],
  );

/** Characters of a key in a path. A key may be as long as a body, and each of a hundred issues inside it names it. */
const keyShown = 200;

const shortened = (step: string | number): string | number =>
  typeof step === 'number' || step.length <= keyShown ? step : `${step.slice(0, keyShown).toWellFormed()}…`;

/** Makes the 422 error: the issues, and the same as one line. */
export const validationFailed = (found: ValidationIssue[]): CodedError => {
  const issues = found.slice(0, listedIssues).map((it) => ({ ...it, path: it.path.map(shortened) }));
  return new CodedError('validation_failed', {
    issues,
    message: issues.map((issue) => `${issue.path.join('.') || 'request'}: ${issue.message}`).join('; '),
  });
};
