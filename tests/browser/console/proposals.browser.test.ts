import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import {
  acceptTemplateProposal,
  getTemplate,
  listTemplateProposals,
  proposeTemplateVersion,
} from '@stanza/contracts';
import { launchChromium } from '@stanza/sandbox/testing/chromium';
import { testStack } from '@stanza/test-kit/database';
import type { Browser } from 'playwright-core';
import { connectAgent, useTool } from '../../kit/agent.ts';
import { openWorld, type World } from '../../kit/stack.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { waitFor } from '../../kit/wait.ts';
import { Author } from './author.ts';
import { ConsolePage } from './console-page.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';

describe('versions that a program proposes', () => {
  let world: World;
  let browser: Browser;
  let console: ConsoleWorld;
  let agent: Client;
  let person: Author;
  let id: string;

  beforeAll(async () => {
    browser = await launchChromium();
    world = await openWorld();
    console = await openConsoleWorld(world);
    agent = await connectAgent(world.api.base, console.key, { pin: '2026-07-28' });
    ({ id } = await liveTemplate(console.api, undefined, {
      key: 'news',
      sample_data: { service: 'billing', version: '1.4.2' },
    }));
    const origins = [world.api.base, testStack().identity_url].map((url) => new URL(url).origin);
    person = new Author(await ConsolePage.open(browser, { width: 1440, colorScheme: 'light' }, origins));
    await person.opened.signInAsOlivia(templates());
  });
  afterAll(async () => {
    await agent.close();
    await browser.close();
    await console.end();
    await world.close();
  });

  const templates = (): string => `${world.api.base}/console/${console.id}/production/templates`;
  const propose = (text: string, note: string) =>
    console.api.ok(proposeTemplateVersion, {
      params: { id },
      body: { blocks: [{ type: 'header', text: { type: 'plain_text', text } }], note },
    });
  const statuses = async (): Promise<string[]> =>
    (await console.api.ok(listTemplateProposals, { params: { id }, query: {} })).data.map(
      ({ status }) => status,
    );
  const lookAt = async (version: number): Promise<void> => {
    await person.page.goto(templates());
    await person.page
      .getByRole('table', { name: 'Proposals' })
      .getByRole('link', { name: `Deploy alert, version ${version}` })
      .click();
    await person.dialog().getByRole('list', { name: 'Changes' }).waitFor();
  };
  const expectClean = async (where: string): Promise<void> => {
    await person.opened.keepPicture(`Proposal ${where}`);
    expect({ where, barriers: await person.opened.barriers(), ...person.opened.complaints }).toEqual({
      where,
      barriers: [],
      console: [],
      foreign: [],
    });
  };

  it('are declined by a person with a reason, which the program reads', async () => {
    await propose('Shouting', 'louder');
    await person.page.goto(templates());
    await person.page.getByRole('table', { name: 'Proposals' }).waitFor();
    await expectClean('list');
    await lookAt(2);
    // Both decisions stand below what they are about.
    expect(await person.dialog().getByRole('button').allInnerTexts()).toEqual([
      'Close',
      'Cancel',
      'Decline…',
      'Accept',
    ]);
    await person.button('Decline…').click();
    await person.button('Back').click();
    await person.seesFocusOn(person.button('Decline…'));
    await person.button('Decline…').click();
    await person.page.getByLabel('Reason').fill('The version is missing.');
    await person.button('Decline').click();
    await person.seesNoDialog();
    await person.page.getByText('Version 2 was declined by you: “The version is missing.”').waitFor();
    expect(await statuses()).toEqual(['declined']);
    const { data } = await console.api.ok(listTemplateProposals, { params: { id }, query: {} });
    expect(data[0]).toMatchObject({ reason: 'The version is missing.' });
  });

  it('are live once a person has seen the difference, and accepted, which the agent reads', async () => {
    const template = 'news';
    const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'Release of {{service}}' } }];
    const { content: drafted } = await useTool(agent, 'draft', { template, blocks });
    await useTool(agent, 'save', { template, expected_revision: drafted.revision });
    const proposed = await useTool(agent, 'propose', { template, note: 'says what it is' });
    expect(proposed.content).toMatchObject({ version_number: 3, status: 'open', is_live: false });
    await lookAt(3);
    await person
      .dialog()
      .getByText(/is proposed by the key .* through scripted-agent/)
      .waitFor();
    await person.dialog().getByText('says what it is').waitFor();
    await person.dialog().getByText('Release of billing').first().waitFor();
    await person.dialog().getByRole('region', { name: 'Impact' }).waitFor();
    await expectClean('to decide');
    await person.button('Accept').click();
    await person.seesNoDialog();
    await person.page.getByText('version 3 live').waitFor();
    expect(await statuses()).toEqual(['accepted', 'declined']);
    const { current_version } = await console.api.ok(getTemplate, { params: { id } });
    expect(current_version?.version_number).toBe(3);
    expect((await useTool(agent, 'proposals', { template })).content).toMatchObject({
      proposals: [{ status: 'accepted', is_live: true }, { status: 'declined' }],
    });
    await expectClean('accepted');
  });

  it('are followed in an editor that is open while others decide', async () => {
    const { id: proposal_id } = await propose('Louder', 'louder');
    await person.page.getByText(/^Version 4 is proposed by/).waitFor();
    await console.api.ok(acceptTemplateProposal, { params: { id, proposal_id }, body: {} });
    await person.page.getByText('version 4 live').waitFor();
    await person.seesDrawn('Louder');
    await expectClean('followed');
  });

  it('become a tool of agents once an admin has switched that on in the settings of the template', async () => {
    await person.page.getByText('Template settings').click();
    await person.page.getByLabel('Agents may send it').click();
    await waitFor(
      'the switch',
      async () => (await console.api.ok(getTemplate, { params: { id } })).agent_sends,
    );
    await expectClean('sent by agents');
  });
});
