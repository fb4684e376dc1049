import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { adminProgram } from './program.ts';

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : '';

describe("the operator's commands", () => {
  const commands = allOf(adminProgram()).filter((it) => it.commands.length === 0);

  it('take no secret as an argument or an option', () => {
    const words = commands.flatMap((command) => [
      ...command.registeredArguments.map((it) => `${pathOf(command)} <${it.name()}>`),
      ...command.options.map((it) => `${pathOf(command)} ${it.long}`),
    ]);
    expect(words.length).toBeGreaterThan(40);
    // The files of Secrets are readable only by their owner.
    const secret = words.filter((word) => /[<-][\w-]*(?:token|secret|password)/i.test(word));
    expect(secret).toEqual([
      ' kubernetes provision --secrets',
      ' nats users --secrets',
      ' nats rotate --secrets',
      ' nats finish --secrets',
      ' systemd --secrets',
    ]);
  });

  it('all have a description', () => {
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((it) => it.description() === '').map(pathOf)).toEqual([]);
  });
});
