CREATE TABLE "dojo_logos" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"key" text NOT NULL,
	"media_type" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"bytes" "bytea" NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "dojo_logos_dojo_id_pk" PRIMARY KEY("dojo_id"),
	CONSTRAINT "dojo_logos_size" CHECK (octet_length("bytes") <= 150000)
);
--> statement-breakpoint
ALTER TABLE "dojo_logos" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "student_photos" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"key" text NOT NULL,
	"media_type" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"bytes" "bytea" NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "student_photos_dojo_id_student_id_pk" PRIMARY KEY("dojo_id","student_id"),
	CONSTRAINT "student_photos_size" CHECK (octet_length("bytes") <= 150000)
);
--> statement-breakpoint
ALTER TABLE "student_photos" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "dojos" ADD COLUMN "color" text;--> statement-breakpoint
ALTER TABLE "student_photos" ADD CONSTRAINT "student_photos_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "student_photos_by_key" ON "student_photos" USING btree ("dojo_id","key");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "dojo_logos" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "dojo_logos" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "student_photos" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "student_photos" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- Written by hand: the list of students is cached.
CREATE TRIGGER publish_dojo_change AFTER INSERT OR UPDATE OR DELETE ON student_photos
  FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();
