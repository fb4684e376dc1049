import type { z } from 'zod';
import { CodedError, type ValidationIssue } from './errors.ts';

type IssuePath = (string | number)[];

const pathOf = (path: readonly PropertyKey[]): IssuePath =>
  path.map((part) => (typeof part === 'number' ? part : String(part)));

/** What is not there at all is said in fewer words. */
const messageOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code !== 'invalid_type' || issue.input !== undefined) return issue.message;
  if (!issue.message.endsWith('received undefined')) return issue.message;
  return issue.path.length === 0 ? 'a JSON object is required as the body' : 'is required';
};

/** Lists what zod found in the form of the answer; each unknown key is an issue of its own, at its own path. */
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

/** Issues that one answer lists; a request with more is wrong in a way that the first hundred show. */
const listedIssues = 100;

/** Makes the 422 error: the issues, and the same as one line. */
export const validationFailed = (found: ValidationIssue[]): CodedError => {
  const issues = found.slice(0, listedIssues);
  return new CodedError('validation_failed', {
    issues,
    message: issues.map((issue) => `${issue.path.join('.') || 'request'}: ${issue.message}`).join('; '),
  });
};
