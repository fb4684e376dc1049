import { CodedError } from '@stanza/contracts';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { reverseCharges } from '../jobs/reverse-charges.ts';
import { settleOverdue } from '../jobs/settle-overdue.ts';
import { chargeCredits } from '../operations/charge-credits.ts';
import { confirmCharges } from '../operations/confirm-charges.ts';
import { confirmRememberedCharges } from '../operations/confirm-remembered-charges.ts';
import { grantCredits } from '../operations/grant-credits.ts';
import { reserveCredits } from '../operations/reserve-credits.ts';
import { settleReservation } from '../operations/settle-reservation.ts';
import { runInternal, type World } from './world.ts';

/** The number of distinct operations of each kind to draw from. */
export interface Variety {
  compiles: number;
  sends: number;
  grants: number;
}

/** Few, so that a history is full of repeats. */
const few: Variety = { compiles: 10, sends: 5, grants: 4 };

/** An action on the credits of an organization, by any actor. */
export const creditActionOf = ({ compiles, sends, grants }: Variety) => {
  const [compile, send, grant] = [fc.nat(compiles - 1), fc.nat(sends - 1), fc.nat(grants - 1)];
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('charge' as const),
        compiles: fc.array(compile, { minLength: 1, maxLength: 5 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('confirm' as const),
        compiles: fc.array(compile, { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('remember' as const),
        compiles: fc.array(compile, { minLength: 1, maxLength: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('reserve' as const),
        send,
        amount: fc.integer({ min: 1, max: 5 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('settle' as const),
        send,
        items: fc.array(fc.tuple(fc.nat(5), fc.boolean()), { minLength: 1, maxLength: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('grant' as const),
        grant,
        amount: fc.integer({ min: -6, max: 6 }).filter((amount) => amount !== 0),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        milliseconds: fc.constantFrom(1_000, 12_000, 31_000),
      }),
    },
  );
};

const creditAction = creditActionOf(few);

/** One action on the credits of an organization. */
export type CreditAction = typeof creditAction extends fc.Arbitrary<infer T> ? T : never;

/** Consecutive steps; the actions of a step race. */
export const creditHistory = fc.array(fc.array(creditAction, { minLength: 1, maxLength: 4 }), {
  minLength: 5,
  maxLength: 25,
});

const names = (count: number): string[] => Array.from({ length: count }, () => uuidv7());

/** Plays a history on a new organization. */
export class CreditPlayer {
  readonly #world: World;
  readonly #organizationId: string;
  readonly #compiles: string[];
  readonly #sends: string[];
  readonly #grants: string[];

  constructor(world: World, organizationId: string, { compiles, sends, grants }: Variety = few) {
    this.#compiles = names(compiles);
    this.#sends = names(sends);
    this.#grants = names(grants);
    this.#world = world;
    this.#organizationId = organizationId;
  }

  /** Refusals are valid outcomes; any other error fails the test. */
  async play(step: readonly CreditAction[]): Promise<void> {
    await Promise.all(
      step.map(async (one) => {
        try {
          await this.#act(one);
        } catch (error) {
          // A busy database defers some actions; their effects must add up like all others.
          const isRefusal =
            error instanceof CodedError && (error.status < 500 || error.code === 'service_unavailable');
          if (!isRefusal) throw error;
        }
      }),
    );
  }

  /** Confirms or reverses every charge, and releases every reservation. */
  async finish(): Promise<void> {
    this.#world.clock.pass(31_000);
    await reverseCharges(this.#world)();
    // As often as the job would run: it handles about a hundred reservations at a time.
    for (let asked = 0; asked < this.#sends.length; asked += 100) await this.#ask(false);
  }

  async #act(one: CreditAction): Promise<unknown> {
    const world = this.#world;
    const organization_id = this.#organizationId;
    switch (one.do) {
      case 'charge': {
        const charges = one.compiles.map((index) => this.#chargeOf(this.#compiles[index]));
        return runInternal(chargeCredits(world), { organization_id, charges });
      }
      case 'confirm':
        return runInternal(confirmCharges(world), {
          operation_ids: one.compiles.map((index) => this.#compiles[index]),
        });
      case 'remember':
        return runInternal(confirmRememberedCharges(world), {
          answers: one.compiles.map((index) => ({ organization_id, operation_id: this.#compiles[index] })),
        });
      case 'reverse':
        return reverseCharges(world)();
      case 'reserve': {
        const facts = this.#chargeOf(this.#sends[one.send]);
        return runInternal(reserveCredits(world), { organization_id, amount: one.amount, ...facts });
      }
      case 'settle':
        return this.#settle(one);
      case 'ask':
        return this.#ask(true);
      case 'grant':
        return runInternal(grantCredits(world), {
          organization_id,
          grant_id: this.#grants[one.grant],
          amount: one.amount,
          reason: 'test',
        });
      case 'wait':
        return world.clock.pass(one.milliseconds);
    }
  }

  #chargeOf(operation_id: string | undefined) {
    return { environment: 'production', operation_id, template_id: uuidv7(), actor_id: 'key' };
  }

  async #settle(one: Extract<CreditAction, { do: 'settle' }>): Promise<void> {
    await runInternal(settleReservation(this.#world), {
      organization_id: this.#organizationId,
      environment: 'production',
      operation_id: this.#sends[one.send],
      items: one.items.map(([item, charged]) => ({
        item,
        charged,
        credit_log_id: uuidv7(),
        message_id: uuidv7(),
      })),
    });
  }

  /** Delivery charged the first message of each, and reports every second reservation as open. */
  #ask(mayBeOpen: boolean): Promise<void> {
    const report = (operation_id: string, index: number) => ({
      operation_id,
      open: mayBeOpen && index % 2 === 0,
      items: [{ item: 0, charged: true, credit_log_id: uuidv7(), message_id: uuidv7() }],
    });
    const call = async (_operation: unknown, input: unknown) => {
      const { reservations } = JSON.parse(JSON.stringify(input));
      return JSON.parse(
        JSON.stringify({
          reports: reservations.map((it: { operation_id: string }, index: number) =>
            report(it.operation_id, index),
          ),
        }),
      );
    };
    return settleOverdue({ ...this.#world, rpc: { call } })();
  }
}
