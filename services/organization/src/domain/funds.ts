/** The credits of an account. */
export interface Funds {
  /** Grants minus charges; negative while overage is used. */
  balance: number;
  /** Held for messages on their way. */
  reserved: number;
  /** How far below zero the balance may go. */
  overage: number;
}

/** Credits that may be spent, overage included; negative after a tier has lost its overage. In SQL: `store/available.ts`. */
export const available = ({ balance, reserved, overage }: Funds): number => balance - reserved + overage;

/** The error code for insufficient credits; it tells whether the tier has an overage. */
export const refusalCode = (overage: number): 'insufficient_credits' | 'overage_limit_exceeded' =>
  overage > 0 ? 'overage_limit_exceeded' : 'insufficient_credits';
