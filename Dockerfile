# The image: docs/container.md. tools/check-production-install.sh tests the same files without a container engine.
# A rebuild includes the latest fixes of Node and Debian. For reproducible builds, pass NODE_IMAGE=node@sha256:….
ARG NODE_IMAGE=node:24-slim

FROM $NODE_IMAGE AS sources
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools ./tools
COPY packages ./packages

FROM sources AS dependencies
RUN npm ci --omit=dev

FROM sources AS bundle
RUN npm ci
COPY src ./src
RUN npm run build

FROM $NODE_IMAGE
ARG REPOSITORY=""
LABEL org.opencontainers.image.title=atelier org.opencontainers.image.source=$REPOSITORY
# Listens on all addresses of the container. The published port decides who can connect; the docs publish on 127.0.0.1 only.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data \
	# Keeps compiled code: the next start takes half the time and 10 MiB less memory.
	NODE_COMPILE_CACHE=/data/compiled \
	# The command line, as operators call it from outside. NAME becomes the host name of the container, which is its id.
	ATELIER_COMMAND="docker exec NAME atelier"
WORKDIR /app
RUN install -d -o 1000 -g 1000 /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY docs/licenses.md ./docs/
COPY packages ./packages
COPY src ./src
COPY --from=bundle /app/dist ./dist
# For `docker exec NAME atelier`.
COPY tools/atelier.mjs tools/node24.mjs tools/stop-when-launcher-ends.mjs ./tools/
RUN ln -s /app/tools/atelier.mjs /usr/local/bin/atelier
# A numeric user, so that an orchestrator can verify that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1, or the child of --init's, so that it receives SIGTERM.
# The flags speed up the delivery of large files and bound the memory (docs/performance.md).
CMD ["node", "--heap-growing-percent=60", "--max-semi-space-size=16", "--wasm-tiering-budget=1000000000", "dist/index.js"]
