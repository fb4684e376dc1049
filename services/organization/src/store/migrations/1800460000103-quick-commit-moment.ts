import { QuickCommitMoment } from '@stanza/runtime';

/** Places entries of the audit log with less work. */
export class QuickCommitMoment1800460000103 extends QuickCommitMoment {}
