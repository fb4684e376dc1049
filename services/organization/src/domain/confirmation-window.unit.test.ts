import { describe, expect, it } from '@jest/globals';
import { ConfirmationWindow } from './confirmation-window.ts';

const second = 1_000;

describe('reversal of unconfirmed charges', () => {
  it('waits for the first 20 seconds after the start', () => {
    const confirmationWindow = new ConfirmationWindow(100 * second);
    expect(confirmationWindow.isOver(120 * second - 1)).toBe(false);
    expect(confirmationWindow.isOver(120 * second)).toBe(true);
    expect(confirmationWindow.isOver(500 * second)).toBe(true);
  });

  it('waits again after the latest interruption', () => {
    const confirmationWindow = new ConfirmationWindow(0);
    confirmationWindow.interrupted(100 * second);
    confirmationWindow.interrupted(50 * second);
    expect(confirmationWindow.isOver(119 * second)).toBe(false);
    expect(confirmationWindow.isOver(120 * second)).toBe(true);
  });
});
