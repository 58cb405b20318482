/** The folder with the built page: `index.html`, one script, one style sheet. */
export const WEB_FOLDER = new URL("../web/dist/", import.meta.url);
