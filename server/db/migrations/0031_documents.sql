CREATE TABLE "document_passes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"day" date NOT NULL,
	"reason" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "document_passes_dojo_id_student_id_day_pk" PRIMARY KEY("dojo_id","student_id","day")
);
--> statement-breakpoint
ALTER TABLE "document_passes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_rules" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"is_holding" boolean NOT NULL,
	"kept_years" smallint,
	"grown_up_days" smallint NOT NULL,
	CONSTRAINT "document_rules_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "document_rules" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_versions" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"n" smallint NOT NULL,
	"language" text NOT NULL,
	"name" text NOT NULL,
	"body" text NOT NULL,
	"questions" jsonb NOT NULL,
	"hash" text NOT NULL,
	"resign" text NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"published_by" uuid NOT NULL,
	CONSTRAINT "document_versions_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "document_versions_n" UNIQUE("dojo_id","document_id","n","language")
);
--> statement-breakpoint
ALTER TABLE "document_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_visitors" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"date_of_birth" date,
	"email" text,
	"student_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "document_visitors_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "document_visitors" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "documents" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"signer" text NOT NULL,
	"purpose" text NOT NULL,
	"due" text NOT NULL,
	"due_days" smallint,
	"valid_months" smallint,
	"valid_until_day" text,
	"min_age" smallint NOT NULL,
	"has_medical_answers_in_pdf" boolean NOT NULL,
	"texts" jsonb NOT NULL,
	"archived_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "documents_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "documents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signature_details" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"signature_id" uuid NOT NULL,
	"email" text,
	"phone" text,
	"address" text,
	"device" text,
	"noticed_days_ahead" smallint,
	"delete_on" date,
	CONSTRAINT "signature_details_dojo_id_signature_id_pk" PRIMARY KEY("dojo_id","signature_id")
);
--> statement-breakpoint
ALTER TABLE "signature_details" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signature_events" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"signature_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "signature_events_dojo_id_signature_id_kind_pk" PRIMARY KEY("dojo_id","signature_id","kind")
);
--> statement-breakpoint
ALTER TABLE "signature_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signature_files" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"signature_id" uuid NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "signature_files_dojo_id_signature_id_pk" PRIMARY KEY("dojo_id","signature_id")
);
--> statement-breakpoint
ALTER TABLE "signature_files" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signatures" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"version" smallint NOT NULL,
	"student_id" uuid,
	"visitor_id" uuid,
	"person_name" text NOT NULL,
	"person_born_on" date,
	"signer_kind" text NOT NULL,
	"signer_id" uuid,
	"signer_name" text NOT NULL,
	"relation" text,
	"drawing" text,
	"answers" jsonb NOT NULL,
	"medical_answers" jsonb NOT NULL,
	"disclosure_version" text,
	"signed_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"channel" text NOT NULL,
	"recorded_by" uuid,
	"needs_confirmation" boolean NOT NULL,
	"expires_on" date,
	"renewed_id" uuid,
	"pdf_hash" text,
	"copy_hash" text,
	CONSTRAINT "signatures_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "signatures_person" CHECK (num_nonnulls("signatures"."student_id", "signatures"."visitor_id") <= 1)
);
--> statement-breakpoint
ALTER TABLE "signatures" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signing_links" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"student_id" uuid,
	"visitor_id" uuid,
	"document_ids" uuid[] NOT NULL,
	"channel" text NOT NULL,
	"signer_kind" text,
	"signer_id" uuid,
	"sent_to" text,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "signing_links_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "signing_links_token" UNIQUE("dojo_id","token_hash"),
	CONSTRAINT "signing_links_person" CHECK (num_nonnulls("signing_links"."student_id", "signing_links"."visitor_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "signing_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "document_passes" ADD CONSTRAINT "document_passes_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document" FOREIGN KEY ("dojo_id","document_id") REFERENCES "public"."documents"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_visitors" ADD CONSTRAINT "document_visitors_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null (student_id) ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_details" ADD CONSTRAINT "signature_details_signature" FOREIGN KEY ("dojo_id","signature_id") REFERENCES "public"."signatures"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_events" ADD CONSTRAINT "signature_events_signature" FOREIGN KEY ("dojo_id","signature_id") REFERENCES "public"."signatures"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signature_files" ADD CONSTRAINT "signature_files_signature" FOREIGN KEY ("dojo_id","signature_id") REFERENCES "public"."signatures"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_document" FOREIGN KEY ("dojo_id","document_id") REFERENCES "public"."documents"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_version" FOREIGN KEY ("dojo_id","version_id") REFERENCES "public"."document_versions"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE set null (student_id) ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signatures" ADD CONSTRAINT "signatures_visitor" FOREIGN KEY ("dojo_id","visitor_id") REFERENCES "public"."document_visitors"("dojo_id","id") ON DELETE set null (visitor_id) ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_links" ADD CONSTRAINT "signing_links_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "signing_links" ADD CONSTRAINT "signing_links_visitor" FOREIGN KEY ("dojo_id","visitor_id") REFERENCES "public"."document_visitors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "document_visitors_of_student" ON "document_visitors" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "document_visitors_oldest" ON "document_visitors" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE INDEX "signature_details_by_end" ON "signature_details" USING btree ("delete_on","dojo_id");--> statement-breakpoint
CREATE UNIQUE INDEX "signatures_once" ON "signatures" USING btree ("dojo_id","document_id","version",coalesce("student_id", "visitor_id"),coalesce("signer_id"::text, lower("signer_name")),coalesce("renewed_id", '00000000-0000-0000-0000-000000000000'));--> statement-breakpoint
CREATE INDEX "signatures_of_student" ON "signatures" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "signatures_of_visitor" ON "signatures" USING btree ("dojo_id","visitor_id");--> statement-breakpoint
CREATE INDEX "signatures_of_version" ON "signatures" USING btree ("dojo_id","version_id");--> statement-breakpoint
CREATE INDEX "signatures_of_signer" ON "signatures" USING btree ("dojo_id","signer_id");--> statement-breakpoint
CREATE INDEX "signatures_by_end" ON "signatures" USING btree ("expires_on","dojo_id");--> statement-breakpoint
CREATE UNIQUE INDEX "signatures_by_copy" ON "signatures" USING btree ("dojo_id","copy_hash");--> statement-breakpoint
CREATE INDEX "signing_links_of_student" ON "signing_links" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "signing_links_of_visitor" ON "signing_links" USING btree ("dojo_id","visitor_id");--> statement-breakpoint
CREATE INDEX "signing_links_oldest" ON "signing_links" USING btree ("expires_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "document_passes" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "document_passes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "document_rules" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "document_rules" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "document_versions" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "document_versions" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "document_visitors" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "document_visitors" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "documents" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "documents" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "signature_details" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "signature_details" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "signature_events" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "signature_events" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "signature_files" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "signature_files" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "signatures" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "signatures" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "signing_links" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "signing_links" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);