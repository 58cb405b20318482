import type { MalformedUrlHandler } from "@atelier/common/http-server";
import { apiErrors } from "../simulator/api-error.ts";

/** Replies to a malformed URL below /api, such as `/api/v10/users/%ff`, in Discord's error format. */
export const handleMalformedPlaygroundUrl: MalformedUrlHandler = (url, reply) => {
	if (!url.startsWith("/api/")) return false;
	const error = apiErrors.notFound();
	void reply
		.code(error.status)
		.header("content-type", "application/json")
		.send(Buffer.from(JSON.stringify(error.toBody())));
	return true;
};
