import { jest } from '@jest/globals';

// Real databases and processes on a busy machine: the default of 5 s would cut short a wait for a condition.
jest.setTimeout(180_000);
