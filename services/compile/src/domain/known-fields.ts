import type { EntityField } from '@stanza/contracts';
import type { KnownField } from '@stanza/engine';

/** The fields of an entity in the engine's form: nested by name. */
export const knownFields = (
  fields: readonly EntityField[],
  parent: string | null = null,
): Record<string, KnownField> =>
  Object.fromEntries(
    fields
      .filter((field) => field.parent_field_id === parent)
      .map(({ id, name, type, label, description }): [string, KnownField] => {
        const inside = knownFields(fields, id);
        return [
          name,
          {
            type,
            label: label ?? undefined,
            description: description ?? undefined,
            ...(Object.keys(inside).length > 0 && { fields: inside }),
          },
        ];
      }),
  );
