import type { Command } from 'commander';
import type { Setting } from '../setting.ts';

/** Adds a command to the program. */
export type AddCommand = (program: Command, setting: () => Setting) => void;
