import { escapeMarkup, hiddenFields, screenDocument } from '../screen.ts';
import type { DemoPerson } from './people.ts';

const personForm = (person: DemoPerson, fields: Readonly<Record<string, string>>): string => `
        <form class="person" method="post" action="authorize">
          ${hiddenFields({ ...fields, subject: person.subject })}
          <button class="person-button" aria-describedby="about-${escapeMarkup(person.subject)}">Continue as ${escapeMarkup(person.name)}</button>
          <span class="faint" id="about-${escapeMarkup(person.subject)}">${escapeMarkup(person.about)}</span>
        </form>`;

/** The screen on which a person chooses who they are. */
export function signInScreen(
  people: readonly DemoPerson[],
  fields: Readonly<Record<string, string>>,
): string {
  return screenDocument(
    'Sign in',
    `      <img class="consent-mark" src="/icon.svg" alt="">
      <h1>Who are you?</h1>
      <p class="faint">This is the sandbox's identity provider. It asks for no password.</p>
      <div class="people">${people.map((person) => personForm(person, fields)).join('')}
      </div>
      <form method="post" action="authorize">
        ${hiddenFields(fields)}
        <label for="subject">Another e-mail address</label>
        <input id="subject" name="subject" type="email" required maxlength="320" autocomplete="off">
        <div class="consent-buttons">
          <button class="primary">Continue</button>
        </div>
      </form>`,
  );
}
