-- oldest release: 0.1.0
-- The error of a failed order is not shown beside a certificate that is live: requests read whether orders failed.
grant select (failures) on certificate to namehold_app;
