/** The e-mail addresses that a compile would mention the people of, as its answer lists them. */
export const wantedBy = ({
  mentions,
}: {
  mentions?: readonly string[] | undefined;
}): { mentions?: string[] } => (mentions === undefined ? {} : { mentions: [...mentions] });
