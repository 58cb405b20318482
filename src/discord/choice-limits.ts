/** Discord's maximum for the options of a menu, its selected values, and autocomplete choices. */
export const CHOICES_MAX = 25;
/** Discord's maximum for the label and the value of each. */
export const CHOICE_CHARS_MAX = 100;
