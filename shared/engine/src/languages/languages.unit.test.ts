import { describe, expect, it } from '@jest/globals';
import { languagesFor } from './languages.ts';

describe('the texts of a reader', () => {
  it.each([
    ['zh-TW', ['en', 'zh-Hans', 'zh-Hant'], 'zh-Hant'],
    ['zh-CN', ['en', 'zh-Hant', 'zh-Hans'], 'zh-Hans'],
    ['zh-HK', ['en', 'zh', 'zh-TW'], 'zh-TW'],
    ['zh-Hant-TW', ['en', 'zh'], 'zh'],
    ['pt', ['en', 'pt-BR'], 'pt-BR'],
    ['de-CH', ['en', 'de-AT', 'de'], 'de'],
    ['nb-NO', ['en', 'no'], 'no'],
    ['de-u-co-phonebk', ['en', 'de-AT'], 'de-AT'],
    ['ja', ['de', 'en-GB'], 'en-GB'],
    [undefined, ['de', 'en-GB'], 'en-GB'],
  ])('of %s, of those in %j, are in %s', (locale, languages, read) => {
    expect(languagesFor(languages, { locale })[0]).toBe(read);
  });
});
