/** A person who can sign in at the identity provider. */
export interface DemoPerson {
  /** `sub` of their tokens; the demo binds it to their user. */
  readonly subject: string;
  readonly name: string;
  /** What they are there for, in a few words. */
  readonly about: string;
}

const acme = (name: string, role: string): DemoPerson => ({
  subject: `${name.toLowerCase()}@acme-rockets.example`,
  name,
  about: `${role} of Acme Rockets`,
});

/** The people of the demo organizations, as the start of the stack makes them. */
export const demoPeople: readonly DemoPerson[] = [
  acme('Olivia', 'Owner'),
  acme('Adam', 'Admin'),
  acme('Mia', 'Member'),
  acme('Vera', 'Viewer'),
  { subject: 'olivia@beacon-books.example', name: 'Olivia B.', about: 'Owner of Beacon Books' },
];
