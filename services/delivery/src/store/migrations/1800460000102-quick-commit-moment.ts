import { QuickCommitMoment } from '@stanza/runtime';

/** Places messages with less work. */
export class QuickCommitMoment1800460000102 extends QuickCommitMoment {}
