/** The limits of settings and of texts that people type, in Discord and on the page. */
export const REASON_CHARS_MIN = 3;
export const REASON_CHARS_MAX = 200;
export const BLOCK_REASON_CHARS_MAX = 200;
export const REPORT_REASON_CHARS_MIN = 3;
export const REPORT_REASON_CHARS_MAX = 300;
/** The most credits that a manager grants or revokes at once. Operators can move more with `atelier credits`. */
export const CHANGE_CREDITS_MAX = 1_000_000;
/** The most credits of a limit: far below the ledger's maximum. */
export const LIMIT_CREDITS_MAX = 1_000_000_000;
/** The roles, and the members, with a limit of their own. */
export const LIMIT_EXCEPTIONS_MAX = 250;
/** The channels, roles or models in a list, and the channels with defaults. */
export const LIST_ENTRIES_MAX = 100;
export const PAUSE_CHARS_MAX = 200;
export const PATTERNS_MAX = 100;
export const PATTERN_CHARS_MAX = 64;
/** The length of a text for the test of the word filter. */
export const FILTER_TEST_CHARS_MAX = 2_000;
export const STYLES_MAX = 50;
export const STYLE_NAME_CHARS_MAX = 32;
export const STYLE_CHARS_MAX = 500;
export const SHOWCASE_STARS_MAX = 1_000;
/** Larger than settings with every list full. */
export const SETTINGS_FILE_BYTES_MAX = 1024 * 1024;
/** Fits a file of settings, whose quotes and line ends are escaped. */
export const SETTINGS_BODY_BYTES_MAX = 3 * 1024 * 1024;
export const KEY_NAME_CHARS_MAX = 40;
export const STUDIO_KEY_NAME_CHARS_MAX = 80;
/** The longest nickname of Discord. */
export const MEMBER_NAME_CHARS_MAX = 32;
/** The members that a search by name returns: as many as a list below a field can show. */
export const MEMBERS_FOUND_MAX = 10;
/** The longest name of a server. */
export const SERVER_SEARCH_CHARS_MAX = 100;
