import { render } from "preact";
import { AppContext } from "./app-context.ts";
import { createApp } from "./app.ts";
import { Layout } from "./layout.tsx";
import { startClock } from "./time-text.tsx";

const app = createApp();
app.connect();
startClock();
render(
	<AppContext.Provider value={app}>
		<Layout />
	</AppContext.Provider>,
	document.body,
);
