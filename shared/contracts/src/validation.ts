import type { z } from 'zod';
import { CodedError, type ValidationIssue } from './errors.ts';

type IssuePath = (string | number)[];

const pathOf = (path: readonly PropertyKey[]): IssuePath =>
  path.map((part) => (typeof part === 'number' ? part : String(part)));

/** Messages for texts of a known format; a schema with a message of its own keeps it. */
const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  email: 'must be an e-mail address',
  date: 'must be a date, like 2026-01-31',
  datetime: 'must be a time in RFC 3339, like 2026-01-31T09:00:00Z',
};

/** The types of zod in the words of JSON. */
const messageOf = (issue: z.core.$ZodIssue): string => {
  const { message } = issue;
  const isMissing = 'input' in issue && issue.input === undefined;
  if (issue.code === 'invalid_value' && isMissing) {
    return `is required: ${message.replace(/^.*expected /, '')}`;
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? message;
  if (issue.code === 'invalid_format')
    return (message.startsWith('Invalid') && formats[issue.format]) || message;
  if (issue.code !== 'invalid_type') return message;
  if (message.endsWith('received undefined')) {
    return issue.path.length === 0 ? 'a JSON object is required as the body' : 'is required';
  }
  return message
    .replace('expected record', 'expected object')
    .replace('expected int', 'expected whole number');
};

/** Zod's issues in the form of the answer; each unknown key is an issue of its own, at its own path. */
export const validationIssues = (issues: readonly z.core.$ZodIssue[]): ValidationIssue[] =>
  issues.flatMap((issue): ValidationIssue[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          code: issue.code,
          path: [...pathOf(issue.path), key],
          message: 'is not a key of this request; check the spelling or leave it out',
        }))
      : [{ code: issue.code ?? 'custom', path: pathOf(issue.path), message: messageOf(issue) }],
  );

/** Most issues that one answer lists; in a request with more, the first hundred show what is wrong. */
const listedIssues = 100;

/** Makes the 422 error: the issues, and the same as one line. */
export const validationFailed = (found: ValidationIssue[]): CodedError => {
  const issues = found.slice(0, listedIssues);
  return new CodedError('validation_failed', {
    issues,
    message: issues.map((issue) => `${issue.path.join('.') || 'request'}: ${issue.message}`).join('; '),
  });
};
