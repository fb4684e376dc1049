import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import styles from './field.module.css';

interface About {
  label: string;
  /** Explains the field, where its name does not. */
  hint?: ReactNode;
  /** What is wrong with its value; stands in the place of the hint. */
  problem?: ReactNode;
}

interface Wiring {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label, a control, and below it a hint or what is wrong. */
const Field = ({ label, hint, problem, control }: About & { control: (wiring: Wiring) => ReactNode }) => {
  const id = useId();
  const about = problem ? `${id}-problem` : hint ? `${id}-hint` : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {control({
        id,
        className: styles.input,
        'aria-invalid': problem ? true : undefined,
        'aria-describedby': about,
      })}
      {problem ? (
        <p id={about} className={styles.problem}>
          {problem}
        </p>
      ) : (
        hint && (
          <p id={about} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
};

/** A labelled input of one line. */
export const TextField = ({
  label,
  hint,
  problem,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & About) => (
  <Field label={label} hint={hint} problem={problem} control={(wiring) => <input {...rest} {...wiring} />} />
);

/** A labelled input of several lines; `code` shows letters of one width. */
export const TextArea = ({
  label,
  hint,
  problem,
  code = false,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & About & { code?: boolean }) => (
  <Field
    label={label}
    hint={hint}
    problem={problem}
    control={(wiring) => (
      <textarea
        rows={4}
        {...rest}
        {...wiring}
        className={`${wiring.className ?? ''} ${code ? styles.code : ''}`}
        spellCheck={!code}
      />
    )}
  />
);

/** A labelled choice of one among a few; options are values, or pairs of a value and its name. */
export const SelectField = ({
  label,
  hint,
  problem,
  options,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> &
  About & { options: readonly (string | readonly [value: string, name: string])[] }) => (
  <Field
    label={label}
    hint={hint}
    problem={problem}
    control={(wiring) => (
      <select {...rest} {...wiring}>
        {options
          .map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
          .map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
      </select>
    )}
  />
);

/** A labelled box to tick. A press on its hint ticks it too, which is no part of its name. */
export const CheckField = ({
  label,
  hint,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { label: ReactNode; hint?: ReactNode }) => {
  const id = useId();
  const about = hint ? `${id}-hint` : undefined;
  return (
    <label className={styles.check}>
      <input type="checkbox" {...rest} aria-labelledby={id} aria-describedby={about} />
      <span>
        <span id={id}>{label}</span>
        {hint && (
          <span id={about} className={styles.hint}>
            {' '}
            {hint}
          </span>
        )}
      </span>
    </label>
  );
};
