/** The folder with the built page: `index.html`, its scripts, style sheet and icon. */
export const WEB_FOLDER = new URL("../web/dist/", import.meta.url);
