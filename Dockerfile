# The service alone; PostgreSQL is another container (see deploy/compose.yaml). The image holds no secret: settings come from the environment.
FROM node:26-bookworm-slim AS packages
WORKDIR /opt/namehold
COPY package.json package-lock.json .npmrc ./
COPY packages/base/package.json packages/base/
COPY packages/console/package.json packages/console/
COPY packages/dns/package.json packages/dns/
COPY packages/epp/package.json packages/epp/
COPY packages/postgres/package.json packages/postgres/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/server/package.json packages/server/
COPY tools/openapi/package.json tools/openapi/
RUN npm ci --omit=dev --no-audit --no-fund
# `no` saves 65 MB: see docs/operate/running.md.
ARG PDF_FONTS=yes
RUN [ "$PDF_FONTS" = yes ] || rm -r node_modules/@fontsource node_modules/@embedpdf
COPY packages/console packages/console
COPY packages/dns packages/dns
RUN node packages/console/build.ts

FROM node:26-bookworm-slim
WORKDIR /opt/namehold
COPY --from=packages /opt/namehold/node_modules node_modules
COPY package.json LICENSE ./
COPY packages packages
COPY --from=packages /opt/namehold/packages/console/dist packages/console/dist
COPY docs docs
RUN useradd --system --home-dir /var/lib/namehold --create-home namehold && chmod 0700 /var/lib/namehold
USER namehold
ENV NAMEHOLD_MODE=production NAMEHOLD_HOST=0.0.0.0 NAMEHOLD_DATA_DIR=/var/lib/namehold
VOLUME /var/lib/namehold
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "packages/server/src/main.ts"]
CMD ["serve"]
