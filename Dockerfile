# Signpost with its templates bundled. Content is mounted at /app/content, everything it makes is in /data.
FROM node:26-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production ASTRO_TELEMETRY_DISABLED=1
# For backups: it must not be older than the PostgreSQL server.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN node --eval "import('./src/publish/render/bundle.ts').then(({ ensureBundle }) => ensureBundle('/app'))" \
  && node scripts/supply-chain/sbom.ts \
  && mkdir /data && chown node:node /data /app/dist
USER node
ENV HOST=0.0.0.0 PORT=4321 DATA_DIR=/data
VOLUME /data
EXPOSE 4321
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=2s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:4321/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The program itself, not npm: it gets SIGTERM and ends within 10 s.
CMD ["node", "scripts/start.ts"]
