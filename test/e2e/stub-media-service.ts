import { openHttpServer, type HttpHandler } from "@atelier/common/testing/http-server";

export const MODEL = {
	id: "far-1",
	name: "Far",
	mediaType: "image",
	scenes: ["text-to-image"],
	price: { credits: 4, per: "output" },
};

export const ok = (data: unknown): string => JSON.stringify({ code: 0, message: "ok", data });

/** A media service that lists one model, and leaves all other responses to the test. */
export const openStubMediaService = (answer: HttpHandler, mediaType = "image"): Promise<string> => {
	const models = [{ ...MODEL, mediaType, scenes: [`text-to-${mediaType}`] }];
	return openHttpServer((request, response) => {
		if (request.url === "/api/v1/models") response.end(ok({ models }));
		else answer(request, response);
	});
};
